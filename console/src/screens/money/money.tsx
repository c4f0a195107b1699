/** House accounts, deposits and reconciliation. */
import { useAnswer, usePages } from '../../api/queries.ts';
import { csvAddress } from '../../api/run.ts';
import { words } from '../../design/format.ts';
import { DataTable, PagedTable } from '../../widgets/data-table.tsx';
import { Download } from '../../widgets/download.tsx';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { MoreOperations } from '../../widgets/more-operations.tsx';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Tabs } from '../../widgets/tabs.tsx';
import { Environment, Money } from '../../widgets/values.tsx';
import { DepositTable } from '../work/others.tsx';
import { Reconciliations } from './reconciliations.tsx';

export function MoneyScreen() {
  return (
    <Page title="Money" lead="House accounts, deposits and reconciliation.">
      <Tabs
        label="Money"
        path="/money"
        tabs={[
          { id: 'balances', name: 'Balances', show: () => <Balances /> },
          { id: 'deposits', name: 'Deposits', show: () => <Deposits /> },
          { id: 'reconciliation', name: 'Reconciliation', show: () => <Reconciliations /> },
        ]}
      />
      <MoreOperations screen="money" />
    </Page>
  );
}

function Balances() {
  const pages = usePages('balance.list', { limit: 200 });
  return (
    <Panel
      title="House accounts"
      note="Each balance is positive on its normal side."
      actions={<Download href={csvAddress('balance.list', {})}>CSV</Download>}
      bare
    >
      <PagedTable
        pages={pages}
        what="accounts"
        caption="House accounts"
        empty="There are no entries yet."
        keyOf={({ account, environment, currency }) => `${account} ${environment} ${currency}`}
        columns={[
          { head: 'Account', cell: ({ account }) => accountName(account) },
          { head: 'Environment', cell: ({ environment }) => <Environment environment={environment} /> },
          { head: 'Currency', cell: ({ currency }) => currency },
          {
            head: 'Balance',
            figures: true,
            cell: ({ balance, currency }) => <Money amount={balance} currency={currency} />,
          },
        ]}
      />
    </Panel>
  );
}

/** Returns "Float: vtpass" for `float:vtpass:live:NGN`. The rest has its own columns. */
function accountName(account: string): string {
  const [kind = '', ...rest] = account.replace(/:(?:live|test):[A-Z]{3}$/, '').split(':');
  return [words(kind), ...rest].join(': ');
}

function Deposits() {
  const [{ suspense, merchant, provider, day }] = useFilters();
  const input = {
    ...(suspense === 'yes' && { suspense: true }),
    ...(merchant && { merchant }),
    ...(provider && { provider }),
    ...(day && { day }),
  };
  const pages = usePages('deposit.list', input);
  const { data: totals, error, refetch } = useAnswer('deposit.total', input);
  return (
    <>
      <FilterBar
        filters={[
          { name: 'suspense', label: 'Which', choices: [{ value: 'yes', name: 'In suspense' }] },
          { name: 'merchant', label: 'Merchant' },
          { name: 'provider', label: 'Bank' },
          { name: 'day', label: 'Day', type: 'date' },
        ]}
      >
        <Download href={csvAddress('deposit.list', input)}>CSV</Download>
      </FilterBar>
      <Panel title="Totals" bare>
        {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
        {totals === undefined && error === null ? <Loading what="totals" /> : null}
        {totals?.length === 0 ? <Empty title="No deposits." /> : null}
        {totals === undefined || totals.length === 0 ? null : (
          <DataTable
            caption="Deposit totals"
            rows={totals}
            keyOf={(row) => `${row.provider} ${row.environment} ${row.currency}`}
            columns={[
              { head: 'Bank', cell: (row) => row.provider },
              { head: 'Environment', cell: (row) => <Environment environment={row.environment} /> },
              { head: 'Deposits', figures: true, cell: (row) => row.deposits },
              {
                head: 'Paid',
                figures: true,
                cell: (row) => <Money amount={row.gross} currency={row.currency} />,
              },
              {
                head: 'Fees',
                figures: true,
                cell: (row) => <Money amount={row.fees} currency={row.currency} />,
              },
              {
                head: 'Settled',
                figures: true,
                cell: (row) => <Money amount={row.settled} currency={row.currency} />,
              },
            ]}
          />
        )}
      </Panel>
      <Panel title="Deposits" bare>
        <DepositTable pages={pages} empty="Remove a filter or change the day." />
      </Panel>
    </>
  );
}

export function ReconcileButton() {
  return (
    <OperationButton
      name="reconciliation.run"
      verb="Reconcile"
      look="main"
      title="Reconcile with a provider or bank"
      fields={['party', 'statement', 'from', 'to', 'mapping', 'apply']}
      labels={{
        party: 'Provider or bank',
        statement: 'Statement file (empty: query the provider)',
        mapping: 'Custom layout',
        apply: 'Apply safe corrections',
      }}
    />
  );
}
