/**
 * What a merchant reads about a purchase: the message of every envelope, by how the vend stands.
 */

import { isOrderProduct } from '../../products/product.ts';
import type { OutcomeReason } from '../../vending/vend/outcome-reason.ts';
import type { Vend } from '../../vending/vend/vend.ts';

const words: Readonly<Record<OutcomeReason, string>> = {
  delivered: 'Transaction successful',
  refused: 'Transaction failed',
  customer_rejected: 'Transaction failed: the biller does not accept this customer',
  amount_out_of_range: 'Transaction failed: the amount is outside the limits of this customer',
  not_verified: 'Transaction failed: the customer could not be verified, nothing was sent',
  insufficient_funds: 'Insufficient wallet balance',
  not_found: 'Transaction failed: the provider did not receive it',
  not_sent: 'Transaction failed: no provider could be reached',
};

/** Of orders. Their providers say nothing for the merchant that would tell more. */
const orderWords: Readonly<Partial<Record<OutcomeReason, string>>> = {
  refused: 'Transaction failed: the provider refused the order, nothing was charged',
};

export function outcomeWords({ reason, product }: Pick<Vend, 'reason' | 'product'>): string {
  if (reason === undefined) return 'Transaction pending';
  return (isOrderProduct(product) ? orderWords[reason] : undefined) ?? words[reason];
}
