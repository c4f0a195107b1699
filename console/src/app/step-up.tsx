/**
 * Asks for the password again when the server requires it (money, credentials, users), and resumes
 * the waiting call. Leads to the sign-in page when the session has expired.
 */
import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { pathHere, signInPath } from '../api/back.ts';
import { call, handleSession } from '../api/call.ts';
import { hasPasskeys, stepUpByPasskey } from '../api/passkeys.ts';
import { Button } from '../widgets/button.tsx';
import { Dialog } from '../widgets/dialog.tsx';
import { Form, FormActions, TextField } from '../widgets/field.tsx';
import type { buildRouter } from './router.tsx';

export function StepUp({ router }: { readonly router: ReturnType<typeof buildRouter> }) {
  const queries = useQueryClient();
  const [isOpen, setIsOpen] = useState(false);
  const waiting = useRef<((isAllowed: boolean) => void)[]>([]);
  useEffect(() => {
    handleSession({
      stepUp: () =>
        new Promise((settle) => {
          waiting.current.push(settle);
          setIsOpen(true);
        }),
      signedOut: () => {
        queries.clear();
        if (!location.pathname.startsWith('/sign-in')) router.history.push(signInPath(pathHere()));
      },
    });
  }, [queries, router]);
  const end = (isAllowed: boolean) => {
    setIsOpen(false);
    for (const settle of waiting.current.splice(0)) settle(isAllowed);
    if (isAllowed) void queries.invalidateQueries({ queryKey: ['session'] });
  };
  return isOpen ? <StepUpDialog onEnd={end} /> : null;
}

function StepUpDialog({ onEnd }: { readonly onEnd: (isAllowed: boolean) => void }) {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const prove = async (proof: () => Promise<unknown>) => {
    setIsBusy(true);
    setError(undefined);
    try {
      await proof();
      onEnd(true);
    } catch (refused) {
      setError(refused instanceof Error ? refused.message : 'The request failed. Try again.');
      setIsBusy(false);
    }
  };
  return (
    <Dialog
      open
      onClose={() => onEnd(false)}
      title="Confirm your password"
      lead="This action moves money, or concerns secrets or users. You will be asked again after five minutes."
    >
      <Form
        onSubmit={() => void prove(() => call('/api/step-up', { password }))}
        label="Confirm your password"
      >
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          value={password}
          error={error}
          onChange={(event) => setPassword(event.target.value)}
        />
        <FormActions>
          {hasPasskeys() ? (
            <Button look="quiet" onClick={() => void prove(stepUpByPasskey)}>
              Use a passkey
            </Button>
          ) : null}
          <Button type="submit" look="main" busy={isBusy ? 'Checking…' : undefined}>
            Continue
          </Button>
        </FormActions>
      </Form>
    </Dialog>
  );
}
