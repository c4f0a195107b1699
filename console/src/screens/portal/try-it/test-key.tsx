/**
 * The test key that the page buys with. Its secret stays in the memory of the page: whoever leaves
 * the portal, or loads it again, gives it once more.
 */
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { Output } from '../../../api/operations.ts';
import { act } from '../../../api/run.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../widgets/button.tsx';
import { Form, FormActs, TextField } from '../../../widgets/field.tsx';
import { Hint, Trouble } from '../../../widgets/notes.tsx';
import { Panel, Stack } from '../../../widgets/page.tsx';
import { Code } from '../../../widgets/values.tsx';

export type TestKey = { readonly credential: string; readonly secret: string };

const QUERY = ['test key'];

/** It goes with the session: signing out forgets all queries. */
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
    <Panel
      title="With which key"
      note="A test key, never a live one. Its secret stays in this page alone, until you load it again."
    >
      {key === undefined ? (
        <Choose onKey={choose} />
      ) : (
        <Stack>
          <p>
            <Code>{key.credential}</Code>
          </p>
          <FormActs>
            <Button onClick={() => choose(null)}>Use another key</Button>
          </FormActs>
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
      <Form onSubmit={submit} label="A key that you have">
        <TextField
          label="Key"
          placeholder="oja_test_…"
          autoComplete="off"
          spellCheck={false}
          value={credential}
          error={isShort && credential.trim() === '' ? 'This is needed.' : undefined}
          onChange={(event) => setCredential(event.target.value)}
        />
        <TextField
          label="Secret"
          type="password"
          autoComplete="off"
          value={secret}
          error={isShort && secret.trim() === '' ? 'This is needed.' : undefined}
          onChange={(event) => setSecret(event.target.value)}
        />
        <FormActs>
          <Button type="submit">Use this key</Button>
        </FormActs>
      </Form>
    </Stack>
  );
}

/** For who has none, or not its secret: a key that ends by itself after a day. */
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
      const done = await act('credential.issue', { environment: 'test', label: 'Try it', expires_in: '1d' });
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
      <Hint>
        You have no key at hand? Make one for this page. It ends by itself after a day, and is among your API
        keys.
      </Hint>
      {error === undefined ? null : <Trouble error={error} />}
      <FormActs>
        <Button look="main" busy={isBusy ? 'Making a key…' : undefined} onClick={() => void make()}>
          Make a test key
        </Button>
      </FormActs>
    </>
  );
}
