/** Sets up an authenticator or a passkey for a user who signs in with only a password. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Enrol } from '../sign-in/enrol.tsx';

export function AddFactor() {
  const router = useRouter();
  const queries = useQueryClient();
  const done = () => {
    // The secret must not be used again.
    queries.removeQueries({ queryKey: ['totp'] });
    void queries.invalidateQueries({ queryKey: ['session'] });
    router.history.push('/account');
  };
  return <Enrol onDone={done} />;
}
