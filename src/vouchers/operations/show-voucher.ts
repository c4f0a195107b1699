/** Shows a voucher and the orders it was taken for, those too that gave it back. */

import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { formatRfc3339 } from '../../kernel/clock.ts';
import { environments } from '../../kernel/environment.ts';
import { OperationError } from '../../kernel/errors.ts';
import { formatAmount } from '../../kernel/money.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import {
  amountOutput,
  idField,
  inputOf,
  merchantField,
  oneOf,
  pageFields,
  pageOf,
  text,
  timeOrNull,
  timeOutput,
} from '../../kernel/operation-fields.ts';
import { pageOfRead } from '../../kernel/page.ts';
import { findByCode } from '../../merchants/require-merchant.ts';
import { voucherAnswer, voucherOutput } from '../voucher-answer.ts';
import { findVoucher, listRedemptions, listVouchers, voucherStates } from '../voucher-store.ts';

export const showVoucherOperation = defineOperation({
  name: 'voucher.show',
  kind: 'question',
  summary: 'show a voucher and the orders it was taken for',
  roles,
  portal: { roles: ['viewer', 'finance'] },
  route: 'GET /vouchers/{voucher}',
  document: 'operators/vouchers.md',
  input: inputOf({
    voucher: idField,
    merchant: Type.Optional(text('the code of the merchant whose it must be; without, it may be of any')),
  }),
  output: Type.Object({
    ...voucherOutput.properties,
    orders: Type.Array(
      Type.Object({
        reference: Type.String(),
        id: Type.String(),
        charge: amountOutput,
        taken_at: timeOutput,
        returned_at: timeOrNull,
      }),
    ),
  }),
  run: async ({ sql }: Asking, { voucher: id, merchant }) => {
    const voucher = await findVoucher(sql, id);
    const isOther = merchant !== undefined && voucher?.merchant_code.toLowerCase() !== merchant.toLowerCase();
    if (voucher === undefined || isOther) throw new OperationError({ code: 'no_voucher', voucher: id });
    const orders = (await listRedemptions(sql, voucher)).map((row) => ({
      reference: row.reference,
      id: row.vend_id,
      charge: formatAmount(row.charge),
      taken_at: formatRfc3339(row.at),
      returned_at: row.returned_at && formatRfc3339(row.returned_at),
    }));
    return { ...voucherAnswer(voucher), orders };
  },
});

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
