/**
 * Books what a provider gave back for a successful purchase: our float there grows, and the cost of
 * the purchase falls (post-refund.ts). Whether the merchant gets anything is an act of its own.
 */
import { Type } from 'typebox';
import type { Acting } from '../../../audit-log/acting.ts';
import { defineOperation, treasurers } from '../../../kernel/operation.ts';
import { amountField, inputOf, keyField, reasonField } from '../../../kernel/operation-fields.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import { postRefund } from '../post-refund.ts';
import { amountOf, refundAnswer, refundOutput, toRefunded } from '../refund-answer.ts';

export const bookProviderRefundOperation = defineOperation({
  name: 'vend.provider_refund',
  kind: 'act',
  summary:
    'book what a provider gave back for a successful purchase, all of its cost or a part; the merchant gets nothing by it',
  roles: treasurers,
  route: 'POST /vends/{reference}/provider-refunds',
  document: 'operators/doubt-and-refunds.md',
  movesMoney: true,
  input: inputOf({
    ...purchaseFields,
    amount: Type.Optional(amountField),
    reason: reasonField,
    key: keyField,
  }),
  output: refundOutput,
  run: async ({ tx, actor }: Acting, { amount: text, reason, ...named }) => {
    const vend = await requirePurchase(tx, named);
    const order = { vend: toRefunded(vend), kind: 'provider', amount: amountOf(text), reason } as const;
    return refundAnswer(vend, await postRefund(tx, order, actor));
  },
});
