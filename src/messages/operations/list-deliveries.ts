/** Lists the orders that did not arrive at their customers, or may not have. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { inputOf, pageFields, pageOf } from '../../kernel/operation-fields.ts';
import { pageOfRead } from '../../kernel/page.ts';
import type { DeliveryState } from '../decide-delivery.ts';
import { deliveryAnswer, deliveryOutput } from '../delivery-answer.ts';
import { type DeliveryPlace, listDeliveries } from '../delivery-store.ts';

const troubled: readonly DeliveryState[] = ['unknown', 'given_up', 'refused'];
const unfinished: readonly DeliveryState[] = [...troubled, 'due', 'sending', 'waiting'];

export const listDeliveriesOperation = defineOperation({
  name: 'delivery.list',
  kind: 'question',
  summary: 'list what did not arrive, or may not have, newest first: refused, given up, unknown',
  roles,
  listsPeople: true,
  route: 'GET /deliveries',
  document: 'operators/delivery.md',
  input: inputOf({
    all: Type.Optional(Type.Boolean({ description: 'true for those that are still to be sent too' })),
    limit: pageFields.limit,
    cursor: Type.Optional(
      Type.String({
        description: 'the cursor of the page before',
        pattern: '^[0-9]{1,18}\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      }),
    ),
  }),
  output: pageOf(deliveryOutput),
  run: async ({ sql }: Asking, { all = false, limit = 50, cursor }) => {
    const found = await listDeliveries(sql, {
      states: all ? unfinished : troubled,
      after: placeOf(cursor),
      limit: limit + 1,
    });
    const { data, cursor: next } = pageOfRead(found, limit, (row) => `${row.changed_us}.${row.vend_id}`);
    return { data: data.map(deliveryAnswer), cursor: next };
  },
});

function placeOf(cursor: string | undefined): DeliveryPlace | undefined {
  const [at, id] = cursor?.split('.') ?? [];
  return at === undefined || id === undefined ? undefined : { changed_us: at, vend_id: id };
}
