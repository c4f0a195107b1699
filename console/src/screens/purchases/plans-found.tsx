/** Finds plans of the catalog by name or code. */
import { useQueries } from '@tanstack/react-query';
import type { Output } from '../../api/operations.ts';
import { planProducts } from '../../api/products.ts';
import { runOperation } from '../../api/run.ts';
import { networkText, productText } from '../../design/format.ts';
import { DataTable } from '../../widgets/data-table.tsx';
import { Trouble } from '../../widgets/notes.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Code, Money } from '../../widgets/values.tsx';
import { matches } from '../catalog/match-plan.ts';

type Catalog = Output<'catalog.list'>;
type Plan = Catalog['plans'][number] & Pick<Catalog, 'product'>;

const FEW = 20;

/** Reads the catalog of each product, which the screen of the catalog reads too. */
export function usePlansFound(find: string, { enabled }: { readonly enabled: boolean }) {
  const catalogs = useQueries({
    queries: planProducts.map((product) => ({
      queryKey: ['catalog.list', { product }],
      queryFn: () => runOperation('catalog.list', { product }),
      enabled,
    })),
  });
  return {
    rows: catalogs.flatMap(({ data }): Plan[] => {
      const found = data?.plans.filter((plan) => matches(plan, find)) ?? [];
      return found.map((plan) => ({ ...plan, product: data?.product ?? 'data' }));
    }),
    error: catalogs.find(({ error }) => error !== null)?.error ?? null,
    isLoading: catalogs.some(({ isLoading }) => isLoading),
    isOfBefore: false,
  };
}

export function PlansFound({ found }: { readonly found: ReturnType<typeof usePlansFound> }) {
  const { rows, error } = found;
  return (
    <Panel title="Plans" note={rows.length > FEW ? `The first ${FEW} of ${rows.length}` : undefined} bare>
      {error === null ? null : <Trouble error={error} />}
      {rows.length === 0 ? null : (
        <DataTable
          caption="Plans"
          rows={rows.slice(0, FEW)}
          keyOf={({ product, subject }) => `${product} ${subject}`}
          linkOf={({ product, subject }) =>
            `/catalog?${new URLSearchParams({ ...(product !== 'data' && { product }), find: subject })}`
          }
          columns={[
            { head: 'Plan', cell: ({ name }) => name },
            { head: 'Code', cell: ({ subject }) => <Code>{subject}</Code> },
            { head: 'Product', cell: ({ product }) => productText(product) },
            { head: 'Network', cell: ({ network }) => networkText(network) },
            {
              head: 'Price',
              figures: true,
              cell: ({ price, currency }) => <Money amount={price} currency={currency} />,
            },
          ]}
        />
      )}
    </Panel>
  );
}
