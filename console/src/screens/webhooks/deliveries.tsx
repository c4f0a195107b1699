/** The deliveries of an endpoint. */
import type { ReactNode } from 'react';
import type { Row } from '../../api/operations.ts';
import { usePages } from '../../api/queries.ts';
import { Copyable } from '../../widgets/copy.tsx';
import { PagedTable } from '../../widgets/data-table.tsx';
import { FilterBar } from '../../widgets/filter-bar.tsx';
import { useFilters } from '../../widgets/filters.ts';
import { Panel } from '../../widgets/page.tsx';
import { Nothing, RowTime, State } from '../../widgets/values.tsx';
import { DeliveryDetails } from './delivery-details.tsx';

const REFRESH_MS = 10_000;
const states = ['waiting', 'delivered', 'failed'] as const;

export function Deliveries({
  endpoint,
  actionsOf,
}: {
  readonly endpoint: string;
  /** The actions on a delivery. */
  readonly actionsOf?: (delivery: Row<'webhook.deliveries'>) => ReactNode;
}) {
  const [{ state: named, delivery }] = useFilters();
  const state = states.find((one) => one === named);
  const input = { endpoint, ...(state !== undefined && { state }), ...(delivery && { delivery }) };
  const pages = usePages('webhook.deliveries', input, { refreshMs: REFRESH_MS });
  return (
    <>
      <FilterBar
        filters={[
          { name: 'delivery', label: 'One delivery', isRare: true },
          { name: 'state', label: 'State', choices: states.map((value) => ({ value, name: value })) },
        ]}
      />
      <Panel title="Deliveries" bare>
        <PagedTable
          pages={pages}
          what="events"
          caption="Deliveries"
          empty="No events yet."
          keyOf={({ id }) => id}
          columns={[
            { head: 'Event', cell: ({ event_type: type }) => type },
            { head: 'State', cell: ({ state: now }) => <State state={now} /> },
            {
              head: 'Actions',
              cell: (row) => (
                <>
                  <DeliveryDetails endpoint={endpoint} delivery={row} />
                  {actionsOf?.(row)}
                </>
              ),
            },
            { head: 'Attempts', figures: true, cell: ({ tries }) => tries },
            { head: 'Response', cell: ({ http_status: status, note }) => status ?? note ?? <Nothing /> },
            { head: 'Message', cell: ({ answer }) => answer ?? <Nothing /> },
            {
              head: 'Duration',
              figures: true,
              cell: ({ duration_ms: ms }) => (ms === null ? <Nothing /> : `${ms} ms`),
            },
            { head: 'Last attempt', cell: ({ tried_at: at }) => <RowTime at={at} /> },
            { head: 'Next attempt', cell: ({ due_at: at }) => <RowTime at={at} /> },
            { head: 'Id', cell: ({ event_id: id }) => <Copyable value={id} name="id" /> },
          ]}
        />
      </Panel>
    </>
  );
}
