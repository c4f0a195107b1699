/** The goods of a purchase. Showing sealed goods is recorded in the audit log. */
import { goodsName } from '../../design/format.ts';
import { Hint } from '../../widgets/notes.tsx';
import { OperationButton } from '../../widgets/operation-button.tsx';
import { Facts, Panel, Stack } from '../../widgets/page.tsx';
import { Code, State, Time } from '../../widgets/values.tsx';
import type { Purchase } from './purchase-text.ts';

export function Goods({ purchase }: { readonly purchase: Purchase }) {
  const names = [...purchase.brought, ...(purchase.pending_fulfilments?.goods ?? [])];
  const { delivery, pending_fulfilments: late } = purchase;
  if (names.length === 0 && delivery === null && late === null && !purchase.goods_sealed) return null;
  return (
    <Panel
      title="Goods"
      actions={
        purchase.goods_sealed && purchase.status === 'success' ? (
          <OperationButton
            name="purchase.reveal_goods"
            verb="Show goods"
            lead="The goods belong to the customer. This view is recorded in the audit log."
            given={{ reference: purchase.id }}
            fields={[]}
          />
        ) : undefined
      }
    >
      <Stack>
        {names.length === 0 ? <p>No goods have arrived yet.</p> : <p>{names.map(goodsName).join(', ')}</p>}
        {late !== null && late.arrived_at === null ? (
          <Hint tone="wait">
            Owed by the provider since <Time at={late.owed_since} near />; queried {late.queries ?? 0} times.
          </Hint>
        ) : null}
        {delivery === null ? null : (
          <Facts
            facts={[
              ['Delivery to the customer', <State key="s" state={delivery.state} />],
              ['By', delivery.channel],
              ['To', <Code key="t">{delivery.hint}</Code>],
              ['Attempts', delivery.tries],
              ['Next attempt', <Time key="d" at={delivery.due_at} />],
              ['Result', delivery.note ?? delivery.code ?? 'No result'],
            ]}
          />
        )}
      </Stack>
    </Panel>
  );
}
