/** What the house has and owes, the deposits, and reconciliation. */
import { useAnswer, usePages } from '../../api/queries.ts';
import { csvAddress } from '../../api/run.ts';
import { words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { DataTable, PagedTable } from '../../widgets/data-table.tsx';
import { Download } from '../../widgets/download.tsx';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { MoreOperations } from '../../widgets/more-operations.tsx';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Tabs } from '../../widgets/tabs.tsx';
import { Environment, Money } from '../../widgets/values.tsx';
import { DepositTable } from '../work/others.tsx';
import { Reconciliations } from './reconciliations.tsx';

export function MoneyScreen() {
  return (
    <Page
      title="Money"
      lead="What the house has, what it owes, what came in, and whether others say the same."
    >
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
      note="Each is positive on its own side: what the house has, owes or earned."
      acts={<Download href={csvAddress('balance.list', {})}>CSV</Download>}
      bare
    >
      <PagedTable
        pages={pages}
        what="accounts"
        caption="House accounts"
        empty="Nothing was booked yet."
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

/** `float:vtpass:live:NGN` gives "Float: vtpass": the rest has columns of its own. */
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
          { name: 'day', label: 'On the day', type: 'date' },
        ]}
      >
        <Download href={csvAddress('deposit.list', input)}>CSV</Download>
      </FilterBar>
      <Panel title="Totals" bare>
        {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
        {totals === undefined && error === null ? <Loading what="totals" /> : null}
        {totals?.length === 0 ? <Empty title="No deposits to add up." /> : null}
        {totals === undefined || totals.length === 0 ? null : (
          <DataTable
            caption="Deposits, added up"
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
        <DepositTable pages={pages} empty="Take a filter away, or look at another day." />
      </Panel>
    </>
  );
}

export function ReconcileButton() {
  return (
    <Act
      name="reconciliation.run"
      verb="Reconcile"
      look="main"
      title="Compare with a provider or bank"
      fields={['party', 'statement', 'from', 'to', 'mapping', 'apply']}
      labels={{
        party: 'Provider or bank',
        statement: 'Its statement file; empty to ask it',
        mapping: 'A mapping of your own',
        apply: 'Mend what can be mended',
      }}
    />
  );
}
