/** The user's own account: profile, two-factor authentication, password and sessions. */
import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { addPasskey, hasPasskeys } from '../../api/passkeys.ts';
import { type Session, useSession } from '../../api/session.ts';
import { words } from '../../design/format.ts';
import { Button, LinkButton } from '../../widgets/button.tsx';
import { DataTable } from '../../widgets/data-table.tsx';
import { Form, FormActions, TextField } from '../../widgets/field.tsx';
import { Hint, Loading } from '../../widgets/notes.tsx';
import { Facts, Page, Panel, Stack } from '../../widgets/page.tsx';
import { useToast } from '../../widgets/toasts.tsx';
import { RowTime } from '../../widgets/values.tsx';
import { OwnSessions } from './own-sessions.tsx';

export function Account() {
  const session = useSession();
  if (session === undefined) return <Loading what="your account" />;
  const { user, roles, merchant } = session;
  return (
    <Page title="Your account" lead={user.email}>
      <Panel title="Profile">
        <Facts
          facts={[
            ['Name', user.name],
            ['E-mail address', user.email],
            ['Roles', roles.map(words).join(', ')],
            merchant === null ? undefined : ['Merchant', merchant.name],
          ]}
        />
      </Panel>
      <Panel
        title="Two-factor authentication"
        note="Passkeys are safer, because they cannot be shared or phished."
      >
        <Stack>
          <Factors session={session} />
        </Stack>
      </Panel>
      <NewPassword />
      <OwnSessions />
    </Page>
  );
}

function Factors({ session }: { readonly session: Session }) {
  const [codes, setCodes] = useState<readonly string[]>();
  const [error, setError] = useState<string>();
  const queries = useQueryClient();
  const say = useToast();
  const attempt = async (work: () => Promise<void>) => {
    setError(undefined);
    try {
      await work();
      await queries.invalidateQueries({ queryKey: ['session'] });
    } catch (refused) {
      setError(refused instanceof Error ? refused.message : 'The request failed.');
    }
  };
  const newCodes = async () => {
    const { body } = await call('/api/second-factor/recovery-codes', {});
    setCodes((body as { readonly data: { readonly recovery_codes: readonly string[] } }).data.recovery_codes);
  };
  const newPasskey = async () => {
    await addPasskey('Passkey');
    say('Passkey added.');
  };
  const remove = async (path: string, body: object) => {
    await call(path, body);
    say('Removed.');
  };
  const { totp, passkeys, recovery_codes_left: left } = session.second_factor;
  return (
    <>
      <Facts
        facts={[
          ['Authenticator', totp ? 'In use' : 'Not in use'],
          ['Recovery codes left', left],
        ]}
      />
      {passkeys.length === 0 ? null : (
        <DataTable
          caption="Passkeys"
          rows={passkeys}
          keyOf={({ id }) => id}
          columns={[
            { head: 'Passkey', cell: ({ label }) => label },
            { head: 'Added', cell: ({ created_at: at }) => <RowTime at={at} /> },
            { head: 'Last used', cell: ({ used_at: at }) => <RowTime at={at} /> },
            {
              head: 'Actions',
              cell: ({ id }) => (
                <Button
                  look="danger"
                  onClick={() => void attempt(() => remove('/api/second-factor/passkeys/remove', { id }))}
                >
                  Remove
                </Button>
              ),
            },
          ]}
        />
      )}
      {error === undefined ? null : <Hint tone="bad">{error}</Hint>}
      {codes === undefined ? null : (
        <>
          <Hint tone="wait">These codes are shown only once. Earlier codes no longer work.</Hint>
          <pre>{codes.join('\n')}</pre>
        </>
      )}
      <FormActions>
        {hasPasskeys() ? <Button onClick={() => void attempt(newPasskey)}>Add a passkey</Button> : null}
        {totp ? (
          <Button onClick={() => void attempt(() => remove('/api/second-factor/totp/remove', {}))}>
            Remove authenticator
          </Button>
        ) : null}
        {totp ? null : <LinkButton to="/second-factor">Set up authenticator</LinkButton>}
        {totp || passkeys.length > 0 ? (
          <Button onClick={() => void attempt(newCodes)}>New recovery codes</Button>
        ) : null}
      </FormActions>
    </>
  );
}

function NewPassword() {
  const [password, setPassword] = useState('');
  const [error, setError] = useState<unknown>();
  const say = useToast();
  const submit = async () => {
    setError(undefined);
    try {
      await call('/api/password', { password });
      setPassword('');
      say('Password changed. Your other sessions have ended.');
    } catch (refused) {
      setError(refused);
    }
  };
  return (
    <Panel title="Password">
      <Form onSubmit={() => void submit()} label="New password">
        <TextField
          label="New password"
          type="password"
          autoComplete="new-password"
          hint="At least 15 characters. A few words are easy to remember and hard to guess."
          value={password}
          error={error instanceof Error ? error.message : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        <FormActions>
          <Button type="submit">Change password</Button>
        </FormActions>
      </Form>
    </Panel>
  );
}
