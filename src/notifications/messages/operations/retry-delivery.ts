/**
 * Retries a delivery at once, for an operator: one that was refused, was given up or waits for its
 * next try. With `again`, also one that may have arrived.
 */

import type { ActorOrName } from '../../../core/actor.ts';
import { OperationError } from '../../../core/errors.ts';
import type { Tx } from '../../../db/database.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { lockDelivery, makeDeliveryDue } from '../delivery-store.ts';

/**
 * Makes the delivery due. Throws OperationError when the purchase has no delivery, cannot be sent
 * now, or needs `again`.
 */
export async function retryDelivery(
  tx: Tx,
  purchase: { readonly merchant_id: number; readonly id: string },
  { again, actor }: { readonly again: boolean; readonly actor: ActorOrName },
): Promise<void> {
  const delivery = await lockDelivery(tx, purchase);
  if (delivery === undefined) throw new OperationError({ code: 'nothing_to_send' });
  const { state, tries } = delivery;
  switch (state) {
    case 'waiting':
      throw new OperationError({ code: 'order_not_ready' });
    case 'cancelled':
      throw new OperationError({ code: 'order_failed' });
    case 'sending':
      throw new OperationError({ code: 'delivery_under_way' });
    case 'sent':
      if (!again) throw new OperationError({ code: 'delivery_sent' });
      break;
    case 'unknown':
      if (!again) throw new OperationError({ code: 'delivery_doubtful' });
      break;
    case 'due':
    case 'refused':
    case 'given_up':
      break;
  }
  await makeDeliveryDue(tx, purchase);
  await recordOperation(tx, {
    actor,
    action: 'delivery.retry',
    subject: `purchase:${purchase.id}`,
    before: { state, tries },
    after: { state: 'due' },
  });
}
