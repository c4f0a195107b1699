/** Requests a password reset link. The answer does not reveal whether the account exists. */
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Button, LinkButton } from '../../widgets/button.tsx';
import { Form, FormActions } from '../../widgets/field.tsx';
import { Hint } from '../../widgets/notes.tsx';
import { Door } from './door.tsx';
import { EmailField } from './email-field.tsx';
import { Refused } from './sign-in.tsx';
import { useSending } from './use-sending.ts';

export function Forgotten() {
  const [email, setEmail] = useState('');
  const [isSent, setIsSent] = useState(false);
  const { error, isBusy, send } = useSending();
  const submit = async () => {
    await call('/api/forgotten', { email });
    setIsSent(true);
  };
  return (
    <Door title="New password" lead="You will receive a link by e-mail. It works once.">
      {isSent ? (
        <Hint tone="good">If {email} has an account, you will receive a link. Check your e-mail.</Hint>
      ) : (
        <Form onSubmit={() => void send(submit)} label="New password">
          <EmailField email={email} error={error} onEmail={setEmail} />
          <Refused error={error} />
          <FormActions>
            <Button type="submit" look="main" busy={isBusy ? 'Sending…' : undefined}>
              Send link
            </Button>
          </FormActions>
        </Form>
      )}
      <div>
        <LinkButton to="/sign-in" look="quiet">
          Back to sign-in
        </LinkButton>
      </div>
    </Door>
  );
}
