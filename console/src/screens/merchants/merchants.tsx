/** All merchants, and the form to create one. */
import type { Row } from '../../api/operations.ts';
import { useAnswer, usePages } from '../../api/queries.ts';
import { countText, lagosDay } from '../../design/format.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { type Environment, useEnvironment, useGoTo } from '../../widgets/environment.ts';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { pickFilters, useFilters } from '../../widgets/filters.ts';
import { merchantPath } from '../../widgets/go.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Page, Panel } from '../../widgets/page.tsx';
import { Money, Nothing, NotYet, RowTime, State } from '../../widgets/values.tsx';

const DAYS = 30;

export function Merchants() {
  const goTo = useGoTo();
  const [values] = useFilters();
  const input = pickFilters(values, ['find']);
  const pages = usePages('merchant.list', input);
  const environment = useEnvironment();
  const { data: sales } = useAnswer('report.show', {
    environment,
    from: lagosDay(new Date(), DAYS - 1),
    by: 'merchant',
    at_once: true,
  });
  const of = (code: string) =>
    sales?.rows.find(({ merchant, currency }) => merchant === code && currency === 'NGN');
  return (
    <Page
      title="Merchants"
      lead="Businesses that sell through this gateway."
      actions={
        <OperationButton
          name="merchant.create"
          verb="New merchant"
          look="main"
          labels={{ code: 'Code', name: 'Business name' }}
          done="Merchant created. Next, enable products and issue credentials."
          onDone={(output) => goTo(merchantPath((output as { code: string }).code))}
        />
      }
    >
      <FilterBar filters={[{ name: 'find', label: 'Code or name' }]} />
      <Panel title={input.find ? 'Merchants found' : 'All merchants'} bare>
        <PagedTable
          pages={pages}
          what="merchants"
          caption="Merchants"
          empty={
            input.find
              ? 'No merchant matches. Clear the filter to see all.'
              : 'Create the first one with New merchant.'
          }
          keyOf={({ code }) => code}
          linkOf={({ code }) => merchantPath(code)}
          columns={[
            { head: 'Code', cell: ({ code }) => code },
            { head: 'Name', cell: ({ name }) => name },
            { head: 'State', cell: ({ state }) => <State state={state} /> },
            {
              head: 'Balance',
              figures: true,
              cell: ({ balances }) => <Balance balances={balances} environment={environment} />,
            },
            {
              head: 'Purchases, 30 d',
              figures: true,
              cell: ({ code }) => (sales === undefined ? <NotYet /> : countText(of(code)?.purchases ?? 0)),
            },
            {
              head: 'Volume, 30 d',
              figures: true,
              cell: ({ code }) =>
                sales === undefined ? <NotYet /> : <Money amount={of(code)?.face_value ?? '0.00'} />,
            },
            { head: 'Created', cell: ({ created_at: at }) => <RowTime at={at} /> },
          ]}
        />
      </Panel>
    </Page>
  );
}

/** The available balance of the merchant in naira, and in other currencies that it has. */
function Balance({
  balances,
  environment,
}: {
  readonly balances: Row<'merchant.list'>['balances'];
  readonly environment: Environment;
}) {
  const [first, ...others] = balances
    .filter((one) => one.environment === environment)
    .toSorted((one, other) => Number(other.currency === 'NGN') - Number(one.currency === 'NGN'));
  if (first === undefined) return <Nothing />;
  return (
    <>
      <Money amount={first.available} currency={first.currency} />
      {others.map(({ currency, available }) => (
        <div key={currency}>
          <Money amount={available} currency={currency} />
        </div>
      ))}
    </>
  );
}
