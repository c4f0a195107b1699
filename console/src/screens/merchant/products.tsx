/** What a merchant may sell, what it pays less than face value, and its lines. */
import { usePages } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { DataTable, PagedTable } from '../../widgets/data-table.tsx';
import { Empty } from '../../widgets/notes.tsx';
import { Columns, Facts, Panel } from '../../widgets/page.tsx';
import { Code, Money, Nothing, RowTime } from '../../widgets/values.tsx';
import type { Merchant } from './merchant.tsx';

export function Products({ merchant }: { readonly merchant: Merchant }) {
  const given = { merchant: merchant.code };
  const named = (products: readonly string[]) =>
    products.length === 0 ? <Nothing /> : products.map((one) => words(one.toLowerCase())).join(', ');
  return (
    <>
      <Columns>
        <Panel
          title="Products"
          acts={
            <>
              <Act
                name="merchant.enable_product"
                verb="Enable a product"
                given={given}
                done="The product is enabled."
              />
              <Act
                name="merchant.disable_product"
                verb="Disable one"
                given={given}
                done="The product is disabled."
              />
            </>
          }
        >
          <Facts
            facts={[
              ['Live', named(merchant.products.live)],
              ['Test', named(merchant.products.test)],
            ]}
          />
        </Panel>
        <Panel
          title="Discounts"
          note="What it pays less than face value."
          acts={
            <Act
              name="merchant.set_discount"
              verb="Set a discount"
              given={given}
              labels={{
                basis_points: 'Discount in basis points (250 is 2.5 %)',
                force: 'Even if it sells below cost',
              }}
              done="The discount is set."
            />
          }
          bare
        >
          {merchant.discounts.length === 0 ? (
            <Empty title="It pays the face value.">Set a discount to give it a share.</Empty>
          ) : (
            <DataTable
              caption="Discounts"
              rows={merchant.discounts}
              keyOf={({ product, network }) => `${product} ${network}`}
              columns={[
                { head: 'Product', cell: ({ product }) => words(product.toLowerCase()) },
                { head: 'Network', cell: ({ network }) => network },
                {
                  head: 'Discount',
                  figures: true,
                  cell: ({ basis_points: points }) => `${(points / 100).toFixed(2)} %`,
                },
              ]}
            />
          )}
        </Panel>
      </Columns>
      <Lines merchant={merchant} environment="live" />
      <Lines merchant={merchant} environment="test" />
    </>
  );
}

function Lines({
  merchant,
  environment,
}: {
  readonly merchant: Merchant;
  readonly environment: 'live' | 'test';
}) {
  const given = { merchant: merchant.code, environment };
  const pages = usePages('merchant.list_mtn_lines', given);
  return (
    <Panel
      title={`Its MTN lines, ${environment}`}
      acts={<Act name="merchant.add_mtn_line" verb="Add a line" given={given} done="The line is added." />}
      bare
    >
      <PagedTable
        pages={pages}
        what="lines"
        caption="Lines"
        empty="A line is shown here once it is added."
        keyOf={({ phone }) => phone}
        columns={[
          { head: 'Number', cell: ({ phone }) => <Code>{phone}</Code> },
          { head: 'Client', cell: ({ client_name: name }) => name },
          { head: 'Balance', figures: true, cell: ({ balance }) => <Money amount={balance} /> },
          { head: 'Told', cell: ({ balance_at: at }) => <RowTime at={at} /> },
          {
            head: 'Act',
            cell: ({ phone }) => (
              <Act
                name="merchant.remove_mtn_line"
                verb="Take away"
                look="danger"
                title="Take the line away"
                given={{ ...given, phone }}
                fields={[]}
                done="The line is taken away."
              />
            ),
          },
        ]}
      />
    </Panel>
  );
}
