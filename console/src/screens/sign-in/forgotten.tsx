/** Asks for a link to choose a new password. The answer does not tell who has an account. */
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { Button, LinkButton } from '../../widgets/button.tsx';
import { Form, FormActs } from '../../widgets/field.tsx';
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
    <Door title="A new password" lead="A link is sent to your e-mail address. It works once.">
      {isSent ? (
        <Hint tone="good">If {email} has an account here, the link is under way. Look into your mail.</Hint>
      ) : (
        <Form onSubmit={() => void send(submit)} label="A new password">
          <EmailField email={email} error={error} onEmail={setEmail} />
          <Refused error={error} />
          <FormActs>
            <Button type="submit" look="main" busy={isBusy ? 'Sending…' : undefined}>
              Send the link
            </Button>
          </FormActs>
        </Form>
      )}
      <div>
        <LinkButton to="/sign-in" look="quiet">
          Back to signing in
        </LinkButton>
      </div>
    </Door>
  );
}
