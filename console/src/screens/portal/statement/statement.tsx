/** The statement of the merchant's own wallet, also for printing. */
import type { Output } from '../../../api/operations.ts';
import { usePages } from '../../../api/queries.ts';
import { useSession } from '../../../api/session.ts';
import { dayText, lagosDay } from '../../../design/format.ts';
import { Button } from '../../../widgets/button.tsx';
import { FilterBar } from '../../../widgets/filter-bar.tsx';
import { useFilters } from '../../../widgets/filters.ts';
import { Page, Panel } from '../../../widgets/page.tsx';
import { StatementBalances, StatementLines } from '../../../widgets/statement-lines.tsx';
import { walletFilters } from '../wallet-filters.ts';

export function PortalStatement() {
  const aWeekAgo = lagosDay(new Date(), 7);
  const name = useSession()?.merchant?.name ?? '';
  const [{ from = aWeekAgo, to, environment = 'live', currency = 'NGN' }] = useFilters();
  const input = {
    from,
    environment: environment as 'live' | 'test',
    currency: currency as 'NGN',
    ...(to && { to }),
  };
  const pages = usePages('wallet.entries', input);
  const balances = pages.last as Output<'wallet.entries'> | undefined;
  const period = `From ${dayText(from)} to ${to ? dayText(to) : 'now'}, ${environment}`;
  return (
    <Page title={`Statement of ${name}`} lead={`${period}. Times are in Lagos time.`}>
      <FilterBar
        filters={[
          { name: 'from', label: 'From', type: 'date', usual: aWeekAgo },
          { name: 'to', label: 'To', type: 'date' },
          ...walletFilters,
        ]}
      >
        <Button onClick={() => print()}>Print</Button>
      </FilterBar>
      <StatementBalances balances={balances} currency={currency} />
      <Panel title="Entries" bare>
        <StatementLines
          pages={pages}
          currency={currency}
          empty="No entries in this period. Change the dates or the environment."
        />
      </Panel>
    </Page>
  );
}
