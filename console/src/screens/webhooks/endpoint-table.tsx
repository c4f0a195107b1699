/** A table of webhook endpoints. */
import type { Row } from '../../api/operations.ts';
import type { Pages } from '../../api/queries.ts';
import { PagedTable } from '../../widgets/data-table.tsx';
import { Nothing, RowTime, State } from '../../widgets/values.tsx';

export function EndpointTable({
  pages,
  empty,
  isOwn = false,
}: {
  readonly pages: Pages<Row<'webhook.list'>>;
  readonly empty: string;
  /** Hides the merchant, for a merchant's own endpoints. */
  readonly isOwn?: boolean;
}) {
  const merchant = { head: 'Merchant', cell: (row: Row<'webhook.list'>) => row.merchant };
  return (
    <PagedTable
      pages={pages}
      what="endpoints"
      caption="Webhook endpoints"
      empty={empty}
      keyOf={({ id }) => id}
      linkOf={({ id }) => `/webhooks/${id}`}
      columns={[
        { head: 'URL', cell: ({ url }) => url },
        ...(isOwn ? [] : [merchant]),
        { head: 'State', cell: ({ state }) => <State state={state} /> },
        { head: 'Failures in a row', figures: true, cell: ({ failures }) => failures },
        { head: 'Failing since', cell: ({ failing_since: at }) => <RowTime at={at} /> },
        { head: 'Disabled because', cell: ({ reason }) => reason ?? <Nothing /> },
      ]}
    />
  );
}
