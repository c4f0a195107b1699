/** Sets up the first second factor, an authenticator or a passkey, and shows recovery codes. */
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { addPasskey, hasPasskeys } from '../../api/passkeys.ts';
import { Button } from '../../widgets/button.tsx';
import { Form, FormActions, TextField } from '../../widgets/field.tsx';
import { Hint, Loading, Trouble } from '../../widgets/notes.tsx';
import { Code } from '../../widgets/values.tsx';
import styles from './door.module.css';
import { Door } from './door.tsx';
import { QrCode } from './qr-code.tsx';
import { Refused } from './sign-in.tsx';
import { faultAt, useSending } from './use-sending.ts';

type Begun = { readonly secret: string; readonly uri: string };
type Codes = { readonly recovery_codes?: readonly string[] };

export function Enrol({ onDone }: { readonly onDone: () => void }) {
  const [codes, setCodes] = useState<readonly string[]>();
  if (codes !== undefined) return <RecoveryCodes codes={codes} onDone={onDone} />;
  const go = (body: unknown) => {
    const { data } = (body ?? {}) as { readonly data?: Codes };
    const made = data?.recovery_codes ?? [];
    if (made.length > 0) setCodes(made);
    else onDone();
  };
  return <Authenticator onConfirmed={go} />;
}

function Authenticator({ onConfirmed }: { readonly onConfirmed: (body: unknown) => void }) {
  const [code, setCode] = useState('');
  const { error, isBusy, send } = useSending();
  const begun = useQuery({
    queryKey: ['totp'],
    queryFn: async () => {
      const { body } = await call('/api/second-factor/totp/begin', {});
      return (body as { readonly data: Begun }).data;
    },
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
  });
  const submit = async () =>
    onConfirmed((await call('/api/second-factor/totp/confirm', { code: code.replaceAll(' ', '') })).body);
  const byPasskey = async () => onConfirmed(((await addPasskey('Passkey')) as { body: unknown }).body);
  return (
    <Door
      title="Two-factor authentication"
      lead="To sign in, you need your password and a code from an authenticator app, or a passkey."
    >
      {begun.isPending ? <Loading what="the secret" /> : null}
      {begun.error === null ? null : <Trouble error={begun.error} again={() => void begun.refetch()} />}
      {begun.data === undefined ? null : <Secret begun={begun.data} />}
      <Form onSubmit={() => void send(submit)} label="Two-factor authentication">
        <TextField
          label="6-digit code"
          inputMode="numeric"
          autoComplete="one-time-code"
          value={code}
          error={faultAt(error, 'code')}
          onChange={(event) => setCode(event.target.value)}
        />
        <Refused error={error} />
        <FormActions>
          {hasPasskeys() ? (
            <Button look="quiet" onClick={() => void send(byPasskey)}>
              Use a passkey instead
            </Button>
          ) : null}
          <Button type="submit" look="main" busy={isBusy ? 'Checking…' : undefined}>
            Confirm
          </Button>
        </FormActions>
      </Form>
    </Door>
  );
}

function Secret({ begun }: { readonly begun: Begun }) {
  return (
    <>
      <p>Scan this code with an authenticator app.</p>
      <QrCode text={begun.uri} title="QR code of the secret. The secret is also shown below." />
      <p>
        Or enter the secret: <Code>{begun.secret}</Code>
      </p>
    </>
  );
}

function RecoveryCodes({
  codes,
  onDone,
}: {
  readonly codes: readonly string[];
  readonly onDone: () => void;
}) {
  return (
    <Door title="Recovery codes" lead="Each code signs you in once, without your authenticator.">
      <ul className={styles.codes}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <Hint tone="wait">
        These codes are shown only once. Print them, or store them in your password manager.
      </Hint>
      <FormActions>
        <Button onClick={() => print()}>Print</Button>
        <Button look="main" onClick={onDone}>
          I have saved them
        </Button>
      </FormActions>
    </Door>
  );
}
