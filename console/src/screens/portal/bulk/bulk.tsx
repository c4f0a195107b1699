/** Purchases in bulk: uploads a file or pasted rows, and lists the batches. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import type { Output } from '../../../api/operations.ts';
import { usePages } from '../../../api/queries.ts';
import { runOperation } from '../../../api/run.ts';
import { useMay } from '../../../api/session.ts';
import { Button } from '../../../widgets/button.tsx';
import { DataTable, PagedTable } from '../../../widgets/data-table.tsx';
import { useEnvironment } from '../../../widgets/environment.ts';
import { Field, Form, FormActions, LongField, SelectField, TextField } from '../../../widgets/field.tsx';
import { environmentFilter, FilterBar } from '../../../widgets/filter-bar.tsx';
import { Hint, Trouble } from '../../../widgets/notes.tsx';
import { Page, Panel, Stack } from '../../../widgets/page.tsx';
import { Money, Nothing, RowTime, State } from '../../../widgets/values.tsx';
import { batchPath } from './batch-path.ts';

type Checked = Output<'batch.create'>;

export function Bulk() {
  const may = useMay();
  const pages = usePages('batch.list', { environment: useEnvironment() });
  return (
    <Page
      title="Bulk"
      lead="Buy many items from one file. Every row is checked first, and nothing is bought before you start it."
    >
      {may('batch.create') ? <Upload /> : null}
      <FilterBar filters={[environmentFilter]} />
      <Panel title="Your batches" bare>
        <PagedTable
          pages={pages}
          what="batches"
          caption="Your batches"
          empty="Your first batch will appear here."
          keyOf={({ id }) => id}
          linkOf={({ id }) => batchPath(id)}
          columns={[
            { head: 'Name', cell: ({ name }) => name },
            { head: 'State', cell: ({ state }) => <State state={state} /> },
            { head: 'Rows', figures: true, cell: ({ rows, handled }) => `${handled} of ${rows}` },
            { head: 'Price', figures: true, cell: ({ charge }) => <Money amount={charge} /> },
            { head: 'Uploaded', cell: ({ created_at: at }) => <RowTime at={at} /> },
          ]}
        />
      </Panel>
    </Page>
  );
}

function Upload() {
  const queries = useQueryClient();
  const router = useRouter();
  const keys = usePages('credential.list', { limit: 200 });
  const usable = keys.rows.filter(({ state, allowed_ips: ips }) => state === 'active' && ips.length === 0);
  const [credential, setCredential] = useState('');
  const [name, setName] = useState('');
  const [csv, setCsv] = useState('');
  /** A spreadsheet in base 64, instead of rows as text. */
  const [xlsx, setXlsx] = useState<string>();
  const chosen = credential === '' ? (usable[0]?.key ?? '') : credential;
  const checked = useMutation({
    mutationFn: () =>
      runOperation('batch.create', {
        credential: chosen,
        ...(xlsx === undefined ? { csv } : { xlsx }),
        ...(name.trim() !== '' && { name: name.trim() }),
      }),
    onSuccess: ({ batch }) => {
      void queries.invalidateQueries({ queryKey: ['batch.list'] });
      if (batch !== null) router.history.push(batchPath(batch.id));
    },
  });
  const take = async (file: File | undefined) => {
    setXlsx(undefined);
    if (file === undefined) return;
    if (/\.xlsx$/i.test(file.name)) {
      setCsv('');
      setXlsx(base64Of(new Uint8Array(await file.arrayBuffer())));
    } else setCsv(await file.text());
    setName(file.name.slice(0, 100));
  };
  if (!keys.isLoading && usable.length === 0) {
    return (
      <Panel title="Upload">
        <Hint>Create an API key without an IP list first. Purchases in bulk count against its caps.</Hint>
      </Panel>
    );
  }
  return (
    <Panel
      title="Upload"
      note="The first line names the columns: Phone or Meter, Network, Amount, and Plan for data and bills."
    >
      <Stack>
        <Form onSubmit={() => checked.mutate()} label="Upload">
          <SelectField
            label="Key"
            hint="Its environment and spend caps apply."
            choices={usable.map(({ key, label, environment }) => ({
              value: key,
              name: `${label === '' ? key : label} (${environment})`,
            }))}
            value={chosen}
            onChange={(event) => setCredential(event.target.value)}
          />
          <Field label="File" hint="CSV or XLSX, at most 10,000 rows and 2 MB" error={undefined} isOptional>
            {(wiring) => (
              <input
                {...wiring}
                type="file"
                accept=".csv,.tsv,.txt,.xlsx,text/csv,text/plain"
                onChange={(event) => void take(event.target.files?.[0])}
              />
            )}
          </Field>
          <LongField
            label="Rows"
            hint="Or paste cells from a spreadsheet, with the names of the columns."
            rows={6}
            value={csv}
            onText={(text) => {
              setXlsx(undefined);
              setCsv(text);
            }}
          />
          <TextField
            label="Name"
            isOptional
            maxLength={100}
            value={name}
            onChange={(event) => setName(event.target.value)}
          />
          {checked.error === null ? null : <Trouble error={checked.error} />}
          <FormActions>
            <Button type="submit" look="main" busy={checked.isPending ? 'Checking…' : undefined}>
              Check rows
            </Button>
          </FormActions>
        </Form>
        {checked.data === undefined || checked.data.batch !== null ? null : <Faults checked={checked.data} />}
      </Stack>
    </Panel>
  );
}

function base64Of(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  return btoa(binary);
}

/** The errors of the file. None of it is stored. */
function Faults({ checked: { rows, bad_rows: bad, faults } }: { readonly checked: Checked }) {
  return (
    <div role="alert">
      <Hint tone="bad">
        {rows === 0 ? 'The file cannot be read.' : `${bad} of ${rows} rows cannot be bought.`} Nothing was
        stored. Correct the file and check it again.
      </Hint>
      <DataTable
        caption="Faults"
        rows={faults}
        keyOf={(_, index) => String(index)}
        columns={[
          { head: 'Row', figures: true, cell: ({ line }) => (line === 0 ? <Nothing /> : line) },
          { head: 'Column', cell: ({ column }) => column ?? <Nothing /> },
          { head: 'Fault', cell: ({ message }) => message },
        ]}
      />
    </div>
  );
}
