/**
 * Books a refund of a successful purchase, in part or whole (post-refund.ts): to its merchant, or
 * from the provider to our float there. Each is a separate operation.
 */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../../core/answer.ts';
import { invariant } from '../../../core/errors.ts';
import { parseAmount, requireFormatted } from '../../../core/money.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import {
  amountField,
  amountOutput,
  environmentField,
  inputOf,
  keyField,
  reasonField,
} from '../../../core/operation-fields.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import type { FoundPurchase } from '../../history/timeline-store.ts';
import { postRefund, type Refunded, type RefundOrder } from '../post-refund.ts';

const refundOutput = Type.Object({
  /** The subject of the transfer. */
  refund_id: Type.String(),
  id: Type.String(),
  reference: Type.String(),
  merchant: Type.String(),
  environment: environmentField,
  amount: amountOutput,
  /** The charge, or the cost for a refund from the provider. */
  paid: amountOutput,
  /** The sum of its refunds. */
  refunded: amountOutput,
});

function refund(kind: 'merchant' | 'provider') {
  const isMerchants = kind === 'merchant';
  return defineOperation({
    name: isMerchants ? 'purchase.refund' : 'purchase.provider_refund',
    kind: 'act',
    summary: isMerchants
      ? 'refund a successful purchase to its merchant, all that is left or a part; never more in total than its charge'
      : 'book a refund of a provider for a successful purchase, all of its cost or a part; the merchant is not refunded',
    roles: treasurers,
    route: isMerchants
      ? 'POST /purchases/{reference}/refunds'
      : 'POST /purchases/{reference}/provider-refunds',
    document: 'operators/unresolved.md',
    movesMoney: true,
    input: inputOf({
      ...purchaseFields,
      amount: Type.Optional(amountField),
      reason: reasonField,
      key: keyField,
    }),
    output: refundOutput,
    gives: (_, { environment, amount }) => ({
      environment,
      currency: 'NGN',
      amount: requireFormatted(amount),
    }),
    run: async ({ tx, actor }: Acting, { amount: text, reason, ...named }) => {
      const purchase = await requirePurchase(tx, named);
      const order = { purchase: toRefunded(purchase), kind, amount: amountOf(text), reason };
      return refundAnswer(purchase, await postRefund(tx, order, actor));
    },
  });
}

export const refundPurchaseOperation = refund('merchant');
export const bookProviderRefundOperation = refund('provider');

function refundAnswer(purchase: FoundPurchase, done: Refunded): Static<typeof refundOutput> {
  return answerOf(refundOutput, {
    ...purchase,
    ...done,
    refund_id: done.refundId,
    merchant: purchase.merchant_code,
  });
}

function toRefunded({ merchant_id, environment, id, reference }: FoundPurchase): RefundOrder['purchase'] {
  return { merchantId: merchant_id, environment, purchaseId: id, reference };
}

/** Undefined: everything that is left. */
function amountOf(text: string | undefined): bigint | undefined {
  if (text === undefined) return undefined;
  const amount = parseAmount(text);
  invariant(amount !== undefined, 'the schema takes amounts only');
  return amount;
}
