/** What the merchant's endpoints were told of a purchase, and what they are still to be told. */
import type { Output } from '../../api/operations.ts';
import { useAnswer } from '../../api/queries.ts';
import { words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { DataTable } from '../../widgets/data-table.tsx';
import { Go } from '../../widgets/go.tsx';
import { Empty, Loading, Trouble } from '../../widgets/notes.tsx';
import { Panel } from '../../widgets/page.tsx';
import { Nothing, RowTime, State } from '../../widgets/values.tsx';
import type { Purchase } from './next-words.ts';

type Webhook = Output<'purchase.webhooks'>['webhooks'][number];

const WAITING_REFRESH_MS = 5_000;

/** Shared by all that shows them: one question. */
function useWebhooks({ id, status }: Purchase) {
  // It is asked anew with each change of where the purchase stands.
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
    <Panel title="Webhooks" note="What the merchant’s own systems were told of it." bare>
      {error === null ? null : <Trouble error={error} again={() => void refetch()} />}
      {data === undefined && error === null ? <Loading what="the webhooks" /> : null}
      {data?.webhooks.length === 0 ? (
        <Empty title="No endpoint was told of it.">
          {purchase.status === 'pending'
            ? 'They are told when it has ended.'
            : 'The merchant had none for this event when it ended.'}
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
        { head: 'Tries', figures: true, cell: ({ tries }) => tries },
        { head: 'Answered', cell: ({ http_status: status, note }) => status ?? note ?? <Nothing /> },
        { head: 'Last try', cell: ({ tried_at: at }) => <RowTime at={at} /> },
        { head: 'Next try', cell: ({ next_at: at }) => <RowTime at={at} /> },
        { head: 'Endpoint', cell: ({ url }) => url ?? 'It was deleted' },
        {
          head: 'Act',
          cell: ({ endpoint, delivery, endpoint_state: state }) =>
            delivery === null || state !== 'enabled' ? (
              <Nothing />
            ) : (
              <Act
                name="webhook.replay_delivery"
                verb="Send again"
                given={{ endpoint, delivery }}
                fields={[]}
                done="It is on its way once more, under the id that it has."
              />
            ),
        },
      ]}
    />
  );
}

function stateText({ state, endpoint_state: endpoint }: Webhook): string {
  if (state === 'held') return endpoint === 'disabled' ? 'Held: its endpoint is disabled' : 'Held';
  return state === 'to_send' ? 'To be sent within seconds' : words(state);
}

/** What is still to happen, in a sentence; undefined where nothing is. */
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
          The merchant is not told: its <Go to={`/webhooks/${open[0]?.endpoint}`}>endpoint</Go> is disabled.
        </>
      ) : (
        <>
          The merchant’s endpoint is told of it
          {next === undefined ? (
            ' within seconds.'
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
