/** The statement of a wallet, also for printing. */

import type { Output } from '../../api/operations.ts';
import { useStatement } from '../../api/queries.ts';
import { dayText, lagosDay } from '../../design/format.ts';
import { Button } from '../../widgets/button.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { Panel } from '../../widgets/page.tsx';
import { StatementBalances, StatementLines } from '../../widgets/statement-lines.tsx';
import type { Merchant } from './merchant.tsx';

export function Statement({ merchant }: { readonly merchant: Merchant }) {
  const aWeekAgo = lagosDay(new Date(), 7);
  const [{ from = aWeekAgo, to, currency = 'NGN' }] = useFilters();
  const environment = useEnvironment();
  const input = {
    merchant: merchant.code,
    from,
    environment,
    currency: currency as 'NGN',
    ...(to && { to }),
  };
  const pages = useStatement(input);
  const balances = pages.last as Output<'wallet.statement'> | undefined;
  return (
    <>
      <FilterBar
        filters={[
          { name: 'from', label: 'From', type: 'date', usual: aWeekAgo },
          { name: 'to', label: 'To', type: 'date' },
          { name: 'currency', label: 'Currency', usual: 'NGN' },
        ]}
      >
        <Button onClick={() => print()}>Print</Button>
      </FilterBar>
      <StatementBalances balances={balances} currency={currency} />
      <Panel
        title={`Statement of ${merchant.name}`}
        note={`From ${dayText(from)}${to ? ` to ${dayText(to)}` : ''}, ${environment}`}
        bare
      >
        <StatementLines
          pages={pages}
          currency={currency}
          empty="No entries in this period. Change the dates."
        />
      </Panel>
    </>
  );
}
