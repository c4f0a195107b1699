/** What the merchant pays for all that it may buy. */
import type { Row } from '../../../api/operations.ts';
import { usePages } from '../../../api/queries.ts';
import { csvAddress } from '../../../api/run.ts';
import { words } from '../../../design/format.ts';
import { PagedTable } from '../../../widgets/data-table.tsx';
import { Download } from '../../../widgets/download.tsx';
import { environmentFilter, FilterBar } from '../../../widgets/filter-bar.tsx';
import { useFilters } from '../../../widgets/filters.ts';
import { Page, Panel } from '../../../widgets/page.tsx';
import { Code, Money, Nothing } from '../../../widgets/values.tsx';
import { productChoices } from '../../purchases/purchases.tsx';

export function Prices() {
  const [{ product, environment = 'live' }] = useFilters();
  const input = {
    environment: environment as 'live' | 'test',
    ...(product && { product: product as 'airtime' }),
  };
  const pages = usePages('price.list', input);
  return (
    <Page title="Prices" lead="What your wallet pays, with your discounts, for all that you may buy.">
      <FilterBar
        filters={[{ name: 'product', label: 'Product', choices: productChoices }, environmentFilter]}
      >
        <Download href={csvAddress('price.list', input)}>CSV</Download>
      </FilterBar>
      <Panel title="Your prices" bare>
        <PagedTable
          pages={pages}
          what="prices"
          caption="Your prices"
          empty="Nothing of this is open to you. Ask whoever runs the gateway to enable it."
          keyOf={({ product: one, network, plan_code: plan }) => `${one} ${network} ${plan ?? ''}`}
          columns={[
            { head: 'Product', cell: ({ product: one }) => words(one.toLowerCase()) },
            { head: 'Network or biller', cell: ({ network }) => network },
            { head: 'What', cell: ({ name }) => name },
            {
              head: 'Plan',
              cell: ({ plan_code: plan }) => (plan === null ? <Nothing /> : <Code>{plan}</Code>),
            },
            {
              head: 'From',
              figures: true,
              cell: ({ min, currency }) =>
                min === null ? 'Any' : <Money amount={min} currency={currency} />,
            },
            {
              head: 'To',
              figures: true,
              cell: ({ max, currency }) =>
                max === null ? 'Any' : <Money amount={max} currency={currency} />,
            },
            { head: 'Discount', figures: true, cell: ({ basis_points: points }) => percentText(points) },
            { head: 'You pay, from', figures: true, cell: (row) => <Price of={row} /> },
          ]}
        />
      </Panel>
    </Page>
  );
}

/** Where the customer chooses the amount, the share of it that the wallet pays. */
function Price({ of: { price, basis_points: points } }: { readonly of: Row<'price.list'> }) {
  return price === null ? `${(10_000 - points) / 100} % of the amount` : <Money amount={price} />;
}

/** 250 basis points are "2.5 %". */
function percentText(points: number): string {
  return `${points / 100} %`;
}
