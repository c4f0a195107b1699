/** Sends the goods of an order to its customer again, at once. */
import { Type } from 'typebox';
import { defineOperation, supporters } from '../../../core/operation.ts';
import { inputOf } from '../../../core/operation-fields.ts';
import { retryDelivery } from '../../../notifications/messages/operations/retry-delivery.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';

export const retryDeliveryOperation = defineOperation({
  name: 'delivery.retry',
  kind: 'act',
  summary: 'send an order to its customer again, immediately',
  roles: supporters,
  withoutStepUp: true,
  route: 'POST /deliveries/{reference}/retry',
  document: 'operators/webhooks.md',
  input: inputOf({
    ...purchaseFields,
    again: Type.Optional(Type.Boolean({ description: 'true if it was sent, or may have been' })),
  }),
  output: Type.Object({ id: Type.String(), reference: Type.String(), state: Type.Literal('due') }),
  run: async ({ tx, actor }: Acting, { again = false, ...named }) => {
    const purchase = await requirePurchase(tx, named);
    await retryDelivery(tx, purchase, { again, actor });
    return { id: purchase.id, reference: purchase.reference, state: 'due' as const };
  },
});
