/** The message of a purchase in every envelope, and the stable code of a failure. */
import { type Static, type TObject, Type } from 'typebox';
import { formatAmount } from '../../core/money.ts';
import { isOrderProduct } from '../../core/products/product.ts';
import type { OutcomeReason, OverCap } from '../../purchases/state/outcome-reason.ts';
import type { Purchase } from '../../purchases/state/purchase.ts';
import { words as oneOfWords } from './fields.ts';
import { failureReasons } from './reasons.ts';

const words: Readonly<Record<OutcomeReason, string>> = {
  delivered: 'Transaction successful',
  refused: 'Transaction failed',
  customer_rejected: 'Transaction failed: the biller does not accept this customer',
  amount_out_of_range: 'Transaction failed: the amount is outside the limits of this customer',
  not_verified: 'Transaction failed: the customer could not be verified. Nothing was charged.',
  insufficient_funds: 'Insufficient wallet balance',
  over_purchase_cap: 'Over the spend cap per purchase of this credential. Nothing was charged',
  over_daily_cap: 'Over the daily spend cap of this credential. Nothing was charged',
  not_found: 'Transaction failed: the provider did not receive it',
  not_sent: 'Transaction failed: no provider could be reached',
};

/** For orders: their providers return no text for the merchant. */
const orderWords: Readonly<Partial<Record<OutcomeReason, string>>> = {
  refused: 'Transaction failed: the provider refused the order. Nothing was charged.',
};

export function outcomeWords({
  reason,
  product,
  overCap,
}: Pick<Purchase, 'reason' | 'product' | 'overCap'>): string {
  if (reason === undefined) return 'Transaction pending';
  if (overCap !== undefined) return `${words[reason]}: ${restWords(reason, overCap)}`;
  return (isOrderProduct(product) ? orderWords[reason] : undefined) ?? words[reason];
}

function restWords(reason: OutcomeReason, { cap, left }: OverCap): string {
  if (reason === 'over_purchase_cap') return `a purchase may cost at most ${formatAmount(cap)}`;
  return `${formatAmount(left)} of the daily cap of ${formatAmount(cap)} was left`;
}

/** The fields of a failed purchase. */
export const failureFields = {
  reason: Type.Optional(
    oneOfWords(Object.values(failureReasons), {
      title: 'FailureReason',
      description:
        'why the purchase failed, as a stable code: decide by it, not by the message. Further codes can be added.',
    }),
  ),
};

export function failureOf({
  status,
  reason,
}: Pick<Purchase, 'status' | 'reason'>): Static<TObject<typeof failureFields>> {
  if (status !== 'failed') return {};
  return { reason: failureReasons[reason === undefined || reason === 'delivered' ? 'refused' : reason] };
}
