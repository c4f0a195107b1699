/** A delivery as operations answer it. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../kernel/clock.ts';
import { environmentField, oneOf, timeOrNull, timeOutput } from '../kernel/operation-fields.ts';
import { textOrNull } from '../kernel/or-null.ts';
import { deliveryStates } from './decide-delivery.ts';
import type { DeliveryRow } from './delivery-store.ts';
import { deliveryChannels } from './destination.ts';

export const deliveryOutput = Type.Object({
  merchant: Type.String(),
  environment: environmentField,
  vend_id: Type.String(),
  reference: Type.String(),
  channel: oneOf(deliveryChannels),
  /** The destination, masked. */
  hint: Type.String(),
  state: oneOf(deliveryStates),
  due_at: timeOrNull,
  tries: Type.Integer(),
  code: textOrNull,
  note: textOrNull,
  message_id: textOrNull,
  updated_at: timeOutput,
});

export function deliveryAnswer(row: DeliveryRow): Static<typeof deliveryOutput> {
  const { merchant_code: merchant, due_at: dueAt, updated_at: updatedAt, changed_us: _, ...delivery } = row;
  return {
    merchant,
    ...delivery,
    due_at: dueAt && formatRfc3339(dueAt),
    updated_at: formatRfc3339(updatedAt),
  };
}
