/** A voucher as operations answer it: never its code. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../kernel/clock.ts';
import { formatAmount } from '../kernel/money.ts';
import {
  amountOrNull,
  amountOutput,
  environmentField,
  oneOf,
  timeOrNull,
  timeOutput,
} from '../kernel/operation-fields.ts';
import { textOrNull } from '../kernel/or-null.ts';
import { type VoucherRow, voucherStates } from './voucher-store.ts';

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
  cancelled_at: timeOrNull,
  /** The merchant's reference of the order that has it. */
  order: textOrNull,
  order_id: textOrNull,
  charge: amountOrNull,
});

export function voucherAnswer(row: VoucherRow): Static<typeof voucherOutput> {
  return {
    id: row.id,
    issue: row.issue_id,
    merchant: row.merchant_code,
    environment: row.environment,
    hint: row.hint,
    value: formatAmount(row.value),
    state: row.state,
    issued_at: formatRfc3339(row.issued_at),
    cancelled_at: row.cancelled_at && formatRfc3339(row.cancelled_at),
    order: row.reference,
    order_id: row.vend_id,
    charge: row.charge === null ? null : formatAmount(row.charge),
  };
}
