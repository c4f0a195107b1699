/**
 * Tries a delivery again at once, for an operator: one that was refused, was given up or waits for
 * its next try. With `again`, also one that may have arrived.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { Tx } from '../../db/database.ts';
import { GatewayError } from '../../kernel/errors.ts';
import { lockDelivery, makeDeliveryDue } from '../delivery-store.ts';

/** Throws GatewayError `not_found` and `invalid`. */
export async function retryDelivery(
  tx: Tx,
  vend: { readonly merchant_id: number; readonly id: string },
  { again, actor }: { readonly again: boolean; readonly actor: string },
): Promise<void> {
  const delivery = await lockDelivery(tx, vend);
  if (delivery === undefined)
    throw new GatewayError('not_found', 'this purchase is not to be sent to anybody');
  const { state, tries } = delivery;
  switch (state) {
    case 'waiting':
      throw new GatewayError(
        'invalid',
        'the order is not a success with its goods yet: it is sent when it is',
      );
    case 'cancelled':
      throw new GatewayError('invalid', 'the order failed: there is nothing to send');
    case 'sending':
      throw new GatewayError('invalid', 'it is being sent at this moment');
    case 'sent':
      if (!again) throw new GatewayError('invalid', 'it was sent already; --again sends it once more');
      break;
    case 'unknown':
      if (!again)
        throw new GatewayError('invalid', 'it may have reached the customer; --again sends it all the same');
      break;
    case 'due':
    case 'refused':
    case 'given_up':
      break;
  }
  await makeDeliveryDue(tx, vend);
  await recordOperation(tx, {
    actor,
    action: 'delivery.retry',
    subject: `vend:${vend.id}`,
    before: { state, tries },
    after: { state: 'due' },
  });
}
