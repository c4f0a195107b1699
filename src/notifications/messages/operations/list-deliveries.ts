/** Lists deliveries that failed or may have failed. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../../core/answer.ts';
import { nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  environmentField,
  inputOf,
  nullableTime,
  oneOf,
  pageFields,
  pageOf,
  timeOutput,
} from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { type DeliveryState, deliveryStates } from '../decide-delivery.ts';
import { type DeliveryPlace, type DeliveryRow, listDeliveries } from '../delivery-store.ts';
import { deliveryChannels } from '../destination.ts';

export const deliveryOutput = Type.Object({
  merchant: Type.String(),
  environment: environmentField,
  purchase_id: Type.String(),
  reference: Type.String(),
  channel: oneOf(deliveryChannels),
  /** The masked destination. */
  hint: Type.String(),
  state: oneOf(deliveryStates),
  due_at: nullableTime,
  tries: Type.Integer(),
  code: nullableText,
  note: nullableText,
  message_id: nullableText,
  updated_at: timeOutput,
});

export function deliveryAnswer(row: DeliveryRow): Static<typeof deliveryOutput> {
  return answerOf(deliveryOutput, { ...row, merchant: row.merchant_code });
}

const failed: readonly DeliveryState[] = ['unknown', 'given_up', 'refused'];
const unfinished: readonly DeliveryState[] = [...failed, 'due', 'sending', 'waiting'];

export const listDeliveriesOperation = defineOperation({
  name: 'delivery.list',
  kind: 'question',
  summary: 'list deliveries that were refused, were given up or have an unknown outcome, newest first',
  roles,
  listsPeople: true,
  route: 'GET /deliveries',
  document: 'operators/webhooks.md',
  input: inputOf({
    all: Type.Optional(Type.Boolean({ description: 'true to include deliveries that are not finished' })),
    limit: pageFields.limit,
    cursor: Type.Optional(
      Type.String({
        description: 'the cursor of the previous page',
        pattern: '^[0-9]{1,18}\\.[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
      }),
    ),
  }),
  output: pageOf(deliveryOutput),
  run: async ({ sql }: Asking, { all = false, limit = 50, cursor }) => {
    const found = await listDeliveries(sql, {
      states: all ? unfinished : failed,
      after: readCursor(cursor),
      limit: limit + 1,
    });
    return pageOfRead(found, limit, (row) => `${row.changed_us}.${row.purchase_id}`, deliveryAnswer);
  },
});

function readCursor(cursor: string | undefined): DeliveryPlace | undefined {
  const [at, id] = cursor?.split('.') ?? [];
  return at === undefined || id === undefined ? undefined : { changed_us: at, purchase_id: id };
}
