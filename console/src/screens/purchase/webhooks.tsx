/** The webhooks of a purchase: sent, queued and held. */
import type { Output } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { DataTable } from '../../widgets/data-table.tsx';
import { Go } from '../../widgets/go.tsx';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Nothing, RowTime, State } from '../../widgets/values.tsx';
import type { Purchase } from './purchase-text.ts';

type Webhook = Output<'purchase.webhooks'>['webhooks'][number];

const WAITING_REFRESH_MS = 5_000;

/** Reads the webhooks with one query for all parts of the screen. */
function useWebhooks({ id, status }: Purchase) {
  // Refreshed while the purchase or a webhook is not final.
  const input = { reference: id };
  const first = useAnswer('purchase.webhooks', input);
  const isWaiting =
    status === 'pending' ||
    first.data?.webhooks.some(({ state }) => state === 'waiting' || state === 'to_send');
  return useAnswer('purchase.webhooks', input, isWaiting ? { refreshMs: WAITING_REFRESH_MS } : {});
}

export function Webhooks({ purchase }: { readonly purchase: Purchase }) {
  const { data, error, refetch } = useWebhooks(purchase);
  return (
    <Panel title="Webhooks" note="Events sent to the merchant’s endpoints." bare>
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {data === undefined && error === null ? <Loading what="the webhooks" /> : null}
      {data?.webhooks.length === 0 ? (
        <Empty title="No webhook was sent.">
          {purchase.status === 'pending'
            ? 'Webhooks are sent when the purchase is final.'
            : 'The merchant had no endpoint for this event.'}
        </Empty>
      ) : null}
      {data === undefined || data.webhooks.length === 0 ? null : <Table webhooks={data.webhooks} />}
    </Panel>
  );
}

function Table({ webhooks }: { readonly webhooks: readonly Webhook[] }) {
  return (
    <DataTable
      caption="Webhooks of this purchase"
      rows={webhooks}
      keyOf={(row) => `${row.endpoint} ${row.event_id}`}
      linkOf={({ endpoint, delivery, endpoint_state: state }) =>
        state === 'deleted'
          ? undefined
          : `/webhooks/${endpoint}${delivery === null ? '' : `?delivery=${delivery}`}`
      }
      columns={[
        { head: 'Event', cell: ({ event_type: type }) => type },
        { head: 'State', cell: (row) => <State state={row.state}>{stateText(row)}</State> },
        { head: 'Attempts', figures: true, cell: ({ tries }) => tries },
        { head: 'Response', cell: ({ http_status: status, note }) => status ?? note ?? <Nothing /> },
        { head: 'Last attempt', cell: ({ tried_at: at }) => <RowTime at={at} /> },
        { head: 'Next attempt', cell: ({ next_at: at }) => <RowTime at={at} /> },
        { head: 'Endpoint', cell: ({ url }) => url ?? 'Deleted' },
        {
          head: 'Actions',
          cell: ({ endpoint, delivery, endpoint_state: state }) =>
            delivery === null || state !== 'enabled' ? (
              <Nothing />
            ) : (
              <OperationButton
                name="webhook.replay_delivery"
                verb="Resend"
                given={{ endpoint, delivery }}
                fields={[]}
                done="Event queued. It keeps its id."
              />
            ),
        },
      ]}
    />
  );
}

function stateText({ state, endpoint_state: endpoint }: Webhook): string {
  if (state === 'held') return endpoint === 'disabled' ? 'Held: endpoint disabled' : 'Held';
  return state === 'to_send' ? 'Queued' : words(state);
}

/** Shows when the next webhook will be sent. Renders nothing if none is open. */
export function NextWebhook({ purchase }: { readonly purchase: Purchase }) {
  const { data } = useWebhooks(purchase);
  const open = data?.webhooks.filter(({ state }) => state !== 'delivered' && state !== 'failed') ?? [];
  if (open.length === 0) return null;
  const held = open.filter(({ state }) => state === 'held');
  const [next] = open.flatMap(({ next_at: at }) => (at === null ? [] : [at])).sort();
  return (
    <p>
      {held.length === open.length ? (
        <>
          The webhook is held because the merchant’s <Go to={`/webhooks/${open[0]?.endpoint}`}>endpoint</Go>{' '}
          is disabled.
        </>
      ) : (
        <>
          The webhook will be sent
          {next === undefined ? (
            ' shortly.'
          ) : (
            <>
              {' '}
              at <RowTime at={next} />.
            </>
          )}
        </>
      )}
    </p>
  );
}
