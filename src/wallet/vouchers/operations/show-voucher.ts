/** Shows a voucher and its orders, including failed ones that returned it. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../../core/answer.ts';
import { environments } from '../../../core/environment.ts';
import { OperationError } from '../../../core/errors.ts';
import { nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import {
  amountOutput,
  environmentField,
  idField,
  inputOf,
  merchantField,
  nullableAmount,
  nullableTime,
  oneOf,
  pageFields,
  pageOf,
  text,
  timeOutput,
} from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import { findByCode } from '../../../merchants/require-merchant.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import {
  findVoucher,
  listRedemptions,
  listVouchers,
  type VoucherRow,
  voucherStates,
} from '../voucher-store.ts';

export const voucherOutput = Type.Object({
  id: Type.String(),
  issue: Type.String(),
  merchant: Type.String(),
  environment: environmentField,
  /** The last characters of its code. */
  hint: Type.String(),
  value: amountOutput,
  state: oneOf(voucherStates),
  issued_at: timeOutput,
  cancelled_at: nullableTime,
  /** The merchant's reference of the order that uses it. */
  order: nullableText,
  order_id: nullableText,
  charge: nullableAmount,
});

/** A voucher without its code. */
export function voucherAnswer(row: VoucherRow): Static<typeof voucherOutput> {
  return answerOf(voucherOutput, {
    ...row,
    issue: row.issue_id,
    merchant: row.merchant_code,
    order: row.reference,
    order_id: row.purchase_id,
  });
}

export const showVoucherOperation = defineOperation({
  name: 'voucher.show',
  kind: 'question',
  summary: 'show a voucher and the orders that were paid with it',
  roles,
  portal: { roles: ['viewer', 'finance'] },
  route: 'GET /vouchers/{voucher}',
  document: 'operators/merchants.md',
  input: inputOf({
    voucher: idField,
    merchant: Type.Optional(text('the code of the merchant whose it must be (default: any)')),
  }),
  output: Type.Object({
    ...voucherOutput.properties,
    orders: Type.Array(
      Type.Object({
        reference: Type.String(),
        id: Type.String(),
        charge: amountOutput,
        taken_at: timeOutput,
        returned_at: nullableTime,
      }),
    ),
  }),
  run: async ({ sql }: Asking, { voucher: id, merchant }) => {
    const voucher = await findVoucher(sql, id);
    const isOther = merchant !== undefined && voucher?.merchant_code.toLowerCase() !== merchant.toLowerCase();
    if (voucher === undefined || isOther) throw new OperationError({ code: 'no_voucher', voucher: id });
    const redemptions = await listRedemptions(sql, voucher);
    const orders = redemptions.map((row) => ({ ...row, id: row.purchase_id, taken_at: row.at }));
    return { ...voucherAnswer(voucher), orders };
  },
});

export const listVouchersOperation = defineOperation({
  name: 'voucher.list',
  kind: 'question',
  summary: "list a merchant's vouchers, newest first",
  roles,
  portal: { roles: ['viewer', 'finance'] },
  route: 'GET /merchants/{merchant}/vouchers',
  document: 'operators/merchants.md',
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
