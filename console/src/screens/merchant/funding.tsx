/** The funding accounts of a merchant and their ID documents. */
import { useAnswer } from '../../api/queries.ts';
import { DataTable } from '../../widgets/data-table.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Facts, Panel, Stack } from '../../widgets/page.tsx';
import { Code, Nothing, RowTime, State } from '../../widgets/values.tsx';
import type { Merchant } from './merchant.tsx';

export function Funding({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  const shown = useEnvironment();
  const { data: funding, error, refetch } = useAnswer('funding.show', given);
  const accounts = (funding?.accounts ?? []).filter(({ environment }) => environment === shown);
  return (
    <Panel
      title="Funding"
      note="Payments into a funding account credit the wallet."
      actions={
        <>
          <OperationButton name="funding.enable" verb="Allow funding" given={given} done="Funding allowed." />
          <OperationButton
            name="funding.open"
            verb="Open an account"
            title="Open a funding account"
            given={given}
            done="Funding account requested."
          />
          <OperationButton name="funding.disable" verb="Stop funding" given={given} done="Funding stopped." />
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
          <Facts facts={[['Allowed', funding.enabled[shown].join(', ') || <Nothing key="n" />]]} />
          {accounts.length === 0 ? (
            <Empty title="No funding account yet.">The merchant requests it with its documents.</Empty>
          ) : (
            <DataTable
              caption="Funding accounts"
              rows={accounts}
              keyOf={({ reference }) => reference}
              columns={[
                {
                  head: 'Account',
                  cell: ({ account_number: number }) => (number ? <Code>{number}</Code> : <Nothing />),
                },
                { head: 'Bank', cell: ({ bank_name: bank, provider }) => bank ?? provider },
                { head: 'Account name', cell: ({ account_name: name }) => name ?? <Nothing /> },
                { head: 'Currency', cell: ({ currency }) => currency },
                {
                  head: 'State',
                  cell: ({ status, refusal }) => (
                    <>
                      <State state={status} /> {refusal}
                    </>
                  ),
                },
                { head: 'Requested', cell: ({ created_at: at }) => <RowTime at={at} /> },
                {
                  head: 'ID document',
                  cell: ({ environment, document }) =>
                    document ? (
                      <>
                        <OperationButton
                          name="funding.reveal_document"
                          verb="View document"
                          title="ID document"
                          given={{ ...given, environment }}
                          fields={[]}
                        />{' '}
                        <OperationButton
                          name="funding.replace_document"
                          verb="Replace"
                          title="Replace the ID document"
                          given={{ ...given, environment }}
                          labels={{ content: 'ID document' }}
                          done="Document replaced."
                        />
                      </>
                    ) : (
                      <>
                        <Nothing />{' '}
                        <OperationButton
                          name="funding.replace_document"
                          verb="Upload"
                          title="ID document"
                          lead="The document is stored encrypted. Each view is recorded in the audit log."
                          given={{ ...given, environment }}
                          labels={{ content: 'ID document' }}
                          done="Document stored."
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
