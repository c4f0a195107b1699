/** The products, discounts and MTN lines of a merchant. */
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useDescribed } from '../../api/described.ts';
import { usePages } from '../../api/queries.ts';
import { submitOperation } from '../../api/run.ts';
import { useMay } from '../../api/session.ts';
import { kindText, networkText, productText } from '../../design/format.ts';
import { DataTable, PagedTable } from '../../widgets/data-table.tsx';
import { useEnvironment } from '../../widgets/environment.ts';
import { CheckField } from '../../widgets/field.tsx';
import { Empty, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Columns, Facts, Panel, Stack } from '../../widgets/page.tsx';
import { useToast } from '../../widgets/toasts.tsx';
import { Code, Money, Nothing, RowTime } from '../../widgets/values.tsx';
import type { Merchant } from './merchant.tsx';

export function Products({ merchant }: { readonly merchant: Merchant }) {
  const environment = useEnvironment();
  const given = { merchant: merchant.code };
  return (
    <>
      <Columns>
        <Panel
          title="Products"
          note={`What the merchant can buy in ${environment}. A change takes effect immediately.`}
        >
          <ProductSwitches merchant={merchant} />
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
                { head: 'Product', cell: ({ product }) => productText(product) },
                { head: 'Network', cell: ({ network }) => networkText(network) },
                { head: 'Kind', cell: ({ kind }) => kindText(kind) },
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

/**
 * One checkbox for each product. Users who may not change them see the list of enabled products.
 */
function ProductSwitches({ merchant }: { readonly merchant: Merchant }) {
  const environment = useEnvironment();
  const may = useMay();
  const queries = useQueryClient();
  const say = useToast();
  const known = useDescribed()?.get('merchant.enable_product')?.input.properties.product?.enum ?? [];
  const enabled: readonly string[] = merchant.products[environment];
  const change = useMutation({
    mutationFn: async (product: string) => {
      const name = enabled.includes(product) ? 'merchant.disable_product' : 'merchant.enable_product';
      await submitOperation(name, { merchant: merchant.code, product, environment });
      await queries.invalidateQueries();
      say(`${productText(product)} ${name === 'merchant.enable_product' ? 'enabled' : 'disabled'}.`);
    },
  });
  if (!may('merchant.enable_product')) {
    const names = enabled.map(productText).join(', ');
    return <Facts facts={[['Enabled', names === '' ? <Nothing key="none" /> : names]]} />;
  }
  return (
    <Stack>
      {change.error === null ? null : <Trouble error={change.error} />}
      {known.map((product) => (
        <CheckField
          key={product}
          label={productText(product)}
          checked={enabled.includes(product)}
          onChange={() => change.mutate(product)}
        />
      ))}
    </Stack>
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
