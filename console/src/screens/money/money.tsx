/** Deposits of merchants. */
import { useAnswer, usePages } from '../../api/queries.ts';
import { DataTable } from '../../widgets/data-table.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Money } from '../../widgets/values.tsx';
import { DepositTable } from '../work/others.tsx';

export function MoneyScreen() {
  const [{ suspense, merchant, provider, day }] = useFilters();
  const input = {
    environment: useEnvironment(),
    ...(suspense === 'yes' && { suspense: true }),
    ...(merchant && { merchant }),
    ...(provider && { provider }),
    ...(day && { day }),
  };
  const pages = usePages('deposit.list', input);
  const { data: totals, error, refetch } = useAnswer('deposit.total', input);
  return (
    <Page title="Deposits" lead="Deposits of merchants, and their totals by bank.">
      <FilterBar
        filters={[
          { name: 'suspense', label: 'Which', choices: [{ value: 'yes', name: 'In suspense' }] },
          { name: 'merchant', label: 'Merchant' },
          { name: 'provider', label: 'Bank' },
          { name: 'day', label: 'Day', type: 'date' },
        ]}
      />
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
    </Page>
  );
}
