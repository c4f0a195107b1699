/** The merchant's prices. */
import type { Row } from '../../../api/operations.ts';
import { usePages } from '../../../api/queries.ts';
import { networkText, productText } from '../../../design/format.ts';
import { PagedTable } from '../../../widgets/data-table.tsx';
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
    <Page title="Prices" lead="Your prices with discounts, for all products you can buy.">
      <FilterBar
        filters={[{ name: 'product', label: 'Product', choices: productChoices }, environmentFilter]}
      />
      <Panel title="Your prices" bare>
        <PagedTable
          pages={pages}
          what="prices"
          caption="Your prices"
          empty="No product is enabled for you. Ask the gateway’s operator to enable one."
          keyOf={({ product: one, network, plan_code: plan }) => `${one} ${network} ${plan ?? ''}`}
          columns={[
            { head: 'Product', cell: ({ product: one }) => productText(one) },
            { head: 'Network or biller', cell: ({ network }) => networkText(network) },
            { head: 'Name', cell: ({ name }) => name },
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
            {
              head: 'Discount',
              figures: true,
              cell: ({ discount }) => (discount === null ? <Nothing /> : `${discount} %`),
            },
            { head: 'Price from', figures: true, cell: (row) => <Price of={row} /> },
          ]}
        />
      </Panel>
    </Page>
  );
}

/** Shows the price, or its share of the amount if the customer chooses the amount. */
function Price({ of: { price, discount } }: { readonly of: Row<'price.list'> }) {
  if (price !== null) return <Money amount={price} />;
  return discount === null ? (
    <Nothing />
  ) : (
    `${(10_000 - Math.round(Number(discount) * 100)) / 100} % of the amount`
  );
}
