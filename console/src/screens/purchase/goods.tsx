/** What a purchase brought. What is sealed is opened by an act of its own, which is noted. */
import { words } from '../../design/format.ts';
import { Act } from '../../widgets/act.tsx';
import { Hint } from '../../widgets/notes.tsx';
import { Facts, Panel, Stack } from '../../widgets/page.tsx';
import { Code, State, Time } from '../../widgets/values.tsx';
import type { Purchase } from './next-words.ts';

export function Goods({ purchase }: { readonly purchase: Purchase }) {
  const names = [...purchase.brought, ...(purchase.pending_fulfilments?.goods ?? [])];
  const { delivery, pending_fulfilments: late } = purchase;
  if (names.length === 0 && delivery === null && late === null && !purchase.goods_sealed) return null;
  return (
    <Panel
      title="What it brought"
      acts={
        purchase.goods_sealed && purchase.status === 'success' ? (
          <Act
            name="purchase.reveal_goods"
            verb="Show the goods"
            lead="The cards, the PINs or the eSIM are the customer’s. That you looked is noted in the audit log."
            given={{ reference: purchase.id }}
            fields={[]}
          />
        ) : undefined
      }
    >
      <Stack>
        {names.length === 0 ? <p>Nothing has come yet.</p> : <p>{names.map(words).join(', ')}</p>}
        {late !== null && late.arrived_at === null ? (
          <Hint tone="wait">
            Owed by the provider since <Time at={late.owed_since} near />; asked for {late.queries ?? 0}{' '}
            times.
          </Hint>
        ) : null}
        {delivery === null ? null : (
          <Facts
            facts={[
              ['Sent to the customer', <State key="s" state={delivery.state} />],
              ['By', delivery.channel],
              ['To', <Code key="t">{delivery.hint}</Code>],
              ['Tries', delivery.tries],
              ['Next try', <Time key="d" at={delivery.due_at} />],
              ['What came of it', delivery.note ?? delivery.code ?? 'Nothing is told'],
            ]}
          />
        )}
      </Stack>
    </Panel>
  );
}
