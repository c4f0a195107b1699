/** Success rates of providers in the last hour and the last 24 hours. */
import type { Row } from '../../api/operations.ts';
import { usePages } from '../../api/queries.ts';
import { countText, networkText, productText } from '../../design/format.ts';
import { type Column, PagedTable } from '../../widgets/data-table.tsx';
import { useOwnRows } from '../../widgets/environment.ts';
import { Panel } from '../../widgets/page.tsx';
import { Nothing, NotYet } from '../../widgets/values.tsx';

type Success = Row<'provider.success'>;
type Ended = Success['day'];

/** The rates cover all processes, survive restarts, and lag shortly behind the purchases. */
const REFRESH_MS = 30_000;
/** More than there are providers. */
const LIMIT = 200;

/** `of` returns undefined without final purchases, or while `isKnown` is false. */
export function useSuccess(provider?: string) {
  const { rows, error, isLoading, isOfBefore, again } = usePages(
    'provider.success',
    { by: 'provider', limit: LIMIT, ...(provider !== undefined && { provider }) },
    { refreshMs: REFRESH_MS },
  );
  return {
    isKnown: !isOfBefore && (rows.length > 0 || (!isLoading && error === null)),
    error,
    again,
    of: (name: string, environment: string) =>
      rows.find((row) => row.provider === name && row.environment === environment),
  };
}

export function Rate({ of, isKnown = true }: { readonly of: Ended | undefined; readonly isKnown?: boolean }) {
  if (!isKnown) return <NotYet />;
  return of === undefined || of.success_rate === null ? <Nothing /> : `${of.success_rate} %`;
}

export function endedText({ successes, failures }: Ended): string {
  return `${countText(successes)} successes, ${countText(failures)} failures`;
}

/** Success rates by product and network, of all providers or of one. */
export function SuccessPanel({ provider }: { readonly provider?: string }) {
  const pages = usePages(
    'provider.success',
    { by: 'route', limit: LIMIT, ...(provider !== undefined && { provider }) },
    { refreshMs: REFRESH_MS },
  );
  const own = useOwnRows(pages);
  return (
    <Panel title="Success by product" note="Final purchases, by their last provider." bare>
      <PagedTable
        pages={provider === undefined ? own : pages}
        what="products"
        caption="Success by product and network"
        empty="No final purchases in the last 24 hours."
        keyOf={(row) => [row.environment, row.provider, row.product, row.network].join(' ')}
        columns={provider === undefined ? [providerColumn, ...columns] : columns}
      />
    </Panel>
  );
}

const providerColumn: Column<Success> = { head: 'Provider', cell: ({ provider }) => provider };

const columns: readonly Column<Success>[] = [
  { head: 'Product', cell: ({ product }) => productText(product ?? '') },
  {
    head: 'Network or biller',
    cell: ({ network }) => (network === null ? <Nothing /> : networkText(network)),
  },
  { head: 'Success, 1 h', figures: true, cell: ({ hour }) => <Rate of={hour} /> },
  { head: 'Success, 24 h', figures: true, cell: ({ day }) => <Rate of={day} /> },
  { head: 'Delivered', figures: true, cell: ({ day }) => countText(day.successes) },
  { head: 'Failed', figures: true, cell: ({ day }) => countText(day.failures) },
  {
    head: 'p95',
    figures: true,
    cell: ({ latency_p95_ms: p95 }) => (p95 === null ? <Nothing /> : `${countText(p95)} ms`),
  },
];
