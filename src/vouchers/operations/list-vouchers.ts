/** Lists the vouchers of a merchant, the newest first. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { environments } from '../../kernel/environment.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { idField, inputOf, merchantField, oneOf, pageFields, pageOf } from '../../kernel/operation-fields.ts';
import { pageOfRead } from '../../kernel/page.ts';
import { findByCode } from '../../merchants/find-by-code.ts';
import { voucherAnswer, voucherOutput } from '../voucher-answer.ts';
import { listVouchers, voucherStates } from '../voucher-store.ts';

export const listVouchersOperation = defineOperation({
  name: 'voucher.list',
  kind: 'question',
  summary: "list a merchant's vouchers, the newest first",
  roles,
  portal: { roles: ['viewer', 'finance'] },
  route: 'GET /merchants/{merchant}/vouchers',
  document: 'operators/vouchers.md',
  input: inputOf({
    merchant: merchantField,
    environment: Type.Optional(oneOf(environments)),
    state: Type.Optional(oneOf(voucherStates)),
    ...pageFields,
    cursor: Type.Optional(idField),
  }),
  output: pageOf(voucherOutput),
  run: async ({ sql }: Asking, { merchant: code, environment, state, limit = 50, cursor: before }) => {
    const { id: merchantId } = await findByCode(sql, code);
    const rows = await listVouchers(sql, { merchantId, environment, state, before, limit: limit + 1 });
    return pageOfRead(rows.map(voucherAnswer), limit, ({ id }) => id);
  },
});
