/** How a merchant pays in: its funding accounts and the documents of identity they needed. */
import { useAnswer } from '../../api/queries.ts';
import { Act } from '../../widgets/act.tsx';
import { DataTable } from '../../widgets/data-table.tsx';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { Facts, Panel, Stack } from '../../widgets/page.tsx';
import { Code, Environment, Nothing, RowTime, State } from '../../widgets/values.tsx';
import type { Merchant } from './merchant.tsx';

export function Funding({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  const { data: funding, error, refetch } = useAnswer('funding.show', given);
  return (
    <Panel
      title="Funding"
      note="A funding account is a bank account of its own: what is paid into it credits the wallet."
      acts={
        <>
          <Act
            name="funding.enable"
            verb="Allow funding"
            given={given}
            done="It may have a funding account."
          />
          <Act
            name="funding.disable"
            verb="Stop funding"
            given={given}
            done="It gets no new funding account."
          />
        </>
      }
    >
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {funding === undefined ? (
        error === null ? (
          <Loading what="funding" />
        ) : null
      ) : (
        <Stack>
          <Facts
            facts={[
              ['Allowed, live', funding.enabled.live.join(', ') || <Nothing key="n" />],
              ['Allowed, test', funding.enabled.test.join(', ') || <Nothing key="n" />],
            ]}
          />
          {funding.accounts.length === 0 ? (
            <Empty title="No funding account yet.">The merchant asks for it with its documents.</Empty>
          ) : (
            <DataTable
              caption="Funding accounts"
              rows={funding.accounts}
              keyOf={({ reference }) => reference}
              columns={[
                {
                  head: 'Account',
                  cell: ({ account_number: number }) => (number ? <Code>{number}</Code> : <Nothing />),
                },
                { head: 'Bank', cell: ({ bank_name: bank, provider }) => bank ?? provider },
                { head: 'In the name of', cell: ({ account_name: name }) => name ?? <Nothing /> },
                { head: 'Environment', cell: ({ environment }) => <Environment environment={environment} /> },
                { head: 'Currency', cell: ({ currency }) => currency },
                {
                  head: 'State',
                  cell: ({ status, refusal }) => (
                    <>
                      <State state={status} /> {refusal}
                    </>
                  ),
                },
                { head: 'Asked for', cell: ({ created_at: at }) => <RowTime at={at} /> },
                {
                  head: 'Document',
                  cell: ({ environment, document }) =>
                    document ? (
                      <>
                        <Act
                          name="funding.reveal_document"
                          verb="Show it"
                          title="The document of identity"
                          given={{ ...given, environment }}
                          fields={[]}
                        />{' '}
                        <Act
                          name="funding.replace_document"
                          verb="Replace it"
                          title="Another document of identity"
                          given={{ ...given, environment }}
                          labels={{ content: 'Document of identity' }}
                          done="The document is replaced."
                        />
                      </>
                    ) : (
                      <>
                        <Nothing />{' '}
                        <Act
                          name="funding.replace_document"
                          verb="Upload one"
                          title="The document of identity"
                          lead="It is stored sealed. Looking at it is noted in the audit log."
                          given={{ ...given, environment }}
                          labels={{ content: 'Document of identity' }}
                          done="The document is stored."
                        />
                      </>
                    ),
                },
              ]}
            />
          )}
        </Stack>
      )}
    </Panel>
  );
}
