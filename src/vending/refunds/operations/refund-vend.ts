/**
 * Books money that went back for a successful purchase, in part or whole (post-refund.ts): to its
 * merchant, or from the provider to our float there. Each is an act of its own.
 */
import { Type } from 'typebox';
import type { Acting } from '../../../audit-log/acting.ts';
import { requireFormatted } from '../../../kernel/money.ts';
import { defineOperation, treasurers } from '../../../kernel/operation.ts';
import { amountField, inputOf, keyField, reasonField } from '../../../kernel/operation-fields.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import { postRefund } from '../post-refund.ts';
import { amountOf, refundAnswer, refundOutput, toRefunded } from '../refund-answer.ts';

function refund(kind: 'merchant' | 'provider') {
  const isMerchants = kind === 'merchant';
  return defineOperation({
    name: isMerchants ? 'vend.refund' : 'vend.provider_refund',
    kind: 'act',
    summary: isMerchants
      ? 'give a merchant money back for a successful purchase, all that is left or a part; never more in all than its charge'
      : 'book what a provider gave back for a successful purchase, all of its cost or a part; the merchant gets nothing by it',
    roles: treasurers,
    route: isMerchants ? 'POST /vends/{reference}/refunds' : 'POST /vends/{reference}/provider-refunds',
    document: 'operators/doubt-and-refunds.md',
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
      const vend = await requirePurchase(tx, named);
      const order = { vend: toRefunded(vend), kind, amount: amountOf(text), reason };
      return refundAnswer(vend, await postRefund(tx, order, actor));
    },
  });
}

export const refundVendOperation = refund('merchant');
export const bookProviderRefundOperation = refund('provider');
