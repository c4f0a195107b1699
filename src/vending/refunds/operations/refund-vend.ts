/** Gives a merchant money back for a successful purchase, in part or whole (post-refund.ts). */
import { Type } from 'typebox';
import type { Acting } from '../../../audit-log/acting.ts';
import { defineOperation, treasurers } from '../../../kernel/operation.ts';
import { amountField, inputOf, keyField, reasonField } from '../../../kernel/operation-fields.ts';
import { purchaseFields, requirePurchase } from '../../history/find-purchase.ts';
import { postRefund } from '../post-refund.ts';
import { amountOf, refundAnswer, refundOutput, toRefunded } from '../refund-answer.ts';

export const refundVendOperation = defineOperation({
  name: 'vend.refund',
  kind: 'act',
  summary:
    'give a merchant money back for a successful purchase, all that is left or a part; never more in all than its charge',
  roles: treasurers,
  route: 'POST /vends/{reference}/refunds',
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
    const order = { vend: toRefunded(vend), kind: 'merchant', amount: amountOf(text), reason } as const;
    return refundAnswer(vend, await postRefund(tx, order, actor));
  },
});
