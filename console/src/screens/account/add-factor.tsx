/** Sets up an authenticator or a passkey, for who signs in by the password alone. */
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { Enrol } from '../sign-in/enrol.tsx';

export function AddFactor() {
  const router = useRouter();
  const queries = useQueryClient();
  const done = () => {
    // A secret serves once.
    queries.removeQueries({ queryKey: ['totp'] });
    void queries.invalidateQueries({ queryKey: ['session'] });
    router.history.push('/account');
  };
  return <Enrol onDone={done} />;
}
