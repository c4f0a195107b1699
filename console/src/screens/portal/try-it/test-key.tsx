/**
 * The test key that the page buys with. Its secret stays in the memory of the page, so it must be
 * entered again after a reload.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '../../../api/operations.ts';
import { submitOperation } from '../../../api/run.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../widgets/button.tsx';
import { Form, FormActions, TextField } from '../../../widgets/field.tsx';
import { Hint, Trouble } from '../../../widgets/notes.tsx';
import { Panel, Stack } from '../../../widgets/page.tsx';
import { Code } from '../../../widgets/values.tsx';

export type TestKey = { readonly credential: string; readonly secret: string };

const QUERY = ['test key'];

/** Returns the key. Signing out clears it together with all queries. */
export function useTestKey(): TestKey | undefined {
  const { data } = useQuery<TestKey | null>({
    queryKey: QUERY,
    enabled: false,
    initialData: null,
    gcTime: Number.POSITIVE_INFINITY,
  });
  return data ?? undefined;
}

export function TestKeyPanel() {
  const queries = useQueryClient();
  const key = useTestKey();
  const choose = (chosen: TestKey | null) => queries.setQueryData(QUERY, chosen);
  return (
    <Panel title="Test key" note="Use a test key. Its secret stays only in this page until you reload it.">
      {key === undefined ? (
        <Choose onKey={choose} />
      ) : (
        <Stack>
          <p>
            <Code>{key.credential}</Code>
          </p>
          <FormActions>
            <Button onClick={() => choose(null)}>Use another key</Button>
          </FormActions>
        </Stack>
      )}
    </Panel>
  );
}

function Choose({ onKey }: { readonly onKey: (key: TestKey) => void }) {
  const [credential, setCredential] = useState('');
  const [secret, setSecret] = useState('');
  const [isShort, setIsShort] = useState(false);
  const submit = () => {
    setIsShort(credential.trim() === '' || secret.trim() === '');
    if (credential.trim() !== '' && secret.trim() !== '') {
      onKey({ credential: credential.trim(), secret: secret.trim() });
    }
  };
  return (
    <Stack>
      <NewKey onKey={onKey} />
      <Form onSubmit={submit} label="Existing key">
        <TextField
          label="Key"
          placeholder="oja_test_…"
          autoComplete="off"
          spellCheck={false}
          value={credential}
          error={isShort && credential.trim() === '' ? 'Required.' : undefined}
          onChange={(event) => setCredential(event.target.value)}
        />
        <TextField
          label="Secret"
          type="password"
          autoComplete="off"
          value={secret}
          error={isShort && secret.trim() === '' ? 'Required.' : undefined}
          onChange={(event) => setSecret(event.target.value)}
        />
        <FormActions>
          <Button type="submit">Use this key</Button>
        </FormActions>
      </Form>
    </Stack>
  );
}

/** Creates a key that expires after a day. */
function NewKey({ onKey }: { readonly onKey: (key: TestKey) => void }) {
  const may = useMay();
  const queries = useQueryClient();
  const [error, setError] = useState<unknown>();
  const [isBusy, setIsBusy] = useState(false);
  if (!may('credential.issue')) return null;
  const make = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      const done = await submitOperation('credential.issue', {
        environment: 'test',
        label: 'Try it',
        expires_in: '1d',
      });
      if (done.kind === 'done') {
        const { key, secret } = done.output as Output<'credential.issue'>;
        onKey({ credential: key, secret });
        void queries.invalidateQueries({ queryKey: ['credential.list'] });
      }
    } catch (refused) {
      setError(refused);
    }
    setIsBusy(false);
  };
  return (
    <>
      <Hint>No key? Create one for this page. It expires after a day and is listed under API keys.</Hint>
      {error === undefined ? null : <Trouble error={error} />}
      <FormActions>
        <Button look="main" busy={isBusy ? 'Creating key…' : undefined} onClick={() => void make()}>
          Create test key
        </Button>
      </FormActions>
    </>
  );
}
