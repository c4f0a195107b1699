/** A refund as operations answer it. */
import { type Static, Type } from 'typebox';
import { invariant } from '../../kernel/errors.ts';
import { formatAmount, parseAmount } from '../../kernel/money.ts';
import { amountOutput, environmentField } from '../../kernel/operation-fields.ts';
import type { FoundVend } from '../history/timeline-store.ts';
import type { Refunded, RefundOrder } from './post-refund.ts';

export const refundOutput = Type.Object({
  /** The subject of the transfer. */
  refund_id: Type.String(),
  id: Type.String(),
  reference: Type.String(),
  merchant: Type.String(),
  environment: environmentField,
  amount: amountOutput,
  /** The charge, or the cost where it came from the provider. */
  paid: amountOutput,
  /** All that was given back of it by now. */
  refunded: amountOutput,
});

export function refundAnswer(vend: FoundVend, done: Refunded): Static<typeof refundOutput> {
  return {
    refund_id: done.refundId,
    id: vend.id,
    reference: vend.reference,
    merchant: vend.merchant_code,
    environment: vend.environment,
    amount: formatAmount(done.amount),
    paid: formatAmount(done.paid),
    refunded: formatAmount(done.refunded),
  };
}

export function toRefunded({ merchant_id, environment, id, reference }: FoundVend): RefundOrder['vend'] {
  return { merchantId: merchant_id, environment, vendId: id, reference };
}

/** Undefined: all that is left. */
export function amountOf(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const amount = parseAmount(text);
  invariant(amount !== undefined, 'the schema takes amounts only');
  return amount;
}
