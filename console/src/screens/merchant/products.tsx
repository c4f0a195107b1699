/** The products, discounts and MTN lines of a merchant. */
import { usePages } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { DataTable, PagedTable } from '../../widgets/data-table.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { Empty } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Columns, Facts, Panel } from '../../widgets/page.tsx';
import { Code, Money, Nothing, RowTime } from '../../widgets/values.tsx';
import type { Merchant } from './merchant.tsx';

export function Products({ merchant }: { readonly merchant: Merchant }) {
  const environment = useEnvironment();
  const given = { merchant: merchant.code };
  const named = (products: readonly string[]) =>
    products.length === 0 ? <Nothing /> : products.map((one) => words(one.toLowerCase())).join(', ');
  return (
    <>
      <Columns>
        <Panel
          title="Products"
          actions={
            <>
              <OperationButton
                name="merchant.enable_product"
                verb="Enable a product"
                given={given}
                done="Product enabled."
              />
              <OperationButton
                name="merchant.disable_product"
                verb="Disable a product"
                given={given}
                done="Product disabled."
              />
            </>
          }
        >
          <Facts facts={[['Enabled', named(merchant.products[environment])]]} />
        </Panel>
        <Panel
          title="Discounts"
          note="Reductions on the face value."
          actions={
            <OperationButton
              name="merchant.set_discount"
              verb="Set a discount"
              given={given}
              labels={{
                force: 'Allow selling below cost',
              }}
              done="Discount set."
            />
          }
          bare
        >
          {merchant.price_list !== null ? (
            <Empty title={`The merchant pays by the price list ${merchant.price_list}.`}>
              Its own discounts count again when it is removed from the list.
            </Empty>
          ) : merchant.discounts.length === 0 ? (
            <Empty title="No discounts.">The merchant pays the face value.</Empty>
          ) : (
            <DataTable
              caption="Discounts"
              rows={merchant.discounts}
              keyOf={({ product, network, kind }) => `${product} ${network} ${kind}`}
              columns={[
                { head: 'Product', cell: ({ product }) => words(product.toLowerCase()) },
                { head: 'Network', cell: ({ network }) => network },
                { head: 'Kind', cell: ({ kind }) => kind },
                {
                  head: 'Discount',
                  figures: true,
                  cell: ({ discount }) => `${discount} %`,
                },
                {
                  head: 'Actions',
                  cell: ({ product, network, kind }) =>
                    kind === '*' ? (
                      <Nothing />
                    ) : (
                      <OperationButton
                        name="merchant.remove_discount"
                        verb="Remove"
                        look="danger"
                        title="Remove the discount"
                        given={{ ...given, product, network, kind }}
                        fields={['force']}
                        labels={{ force: 'Allow selling below cost' }}
                        done="Discount removed."
                      />
                    ),
                },
              ]}
            />
          )}
        </Panel>
      </Columns>
      <Lines merchant={merchant} />
    </>
  );
}

function Lines({ merchant }: { readonly merchant: Merchant }) {
  const environment = useEnvironment();
  const given = { merchant: merchant.code, environment };
  const pages = usePages('merchant.list_mtn_lines', given);
  return (
    <Panel
      title={`MTN lines, ${environment}`}
      actions={
        <OperationButton name="merchant.add_mtn_line" verb="Add a line" given={given} done="Line added." />
      }
      bare
    >
      <PagedTable
        pages={pages}
        what="lines"
        caption="Lines"
        empty="Add a line to see its balance."
        keyOf={({ phone }) => phone}
        columns={[
          { head: 'Number', cell: ({ phone }) => <Code>{phone}</Code> },
          { head: 'Client', cell: ({ client_name: name }) => name },
          { head: 'Balance', figures: true, cell: ({ balance }) => <Money amount={balance} /> },
          { head: 'Balance at', cell: ({ balance_at: at }) => <RowTime at={at} /> },
          {
            head: 'Actions',
            cell: ({ phone }) => (
              <OperationButton
                name="merchant.remove_mtn_line"
                verb="Remove"
                look="danger"
                title="Remove the line"
                given={{ ...given, phone }}
                fields={[]}
                done="Line removed."
              />
            ),
          },
        ]}
      />
    </Panel>
  );
}
