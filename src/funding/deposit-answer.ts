/** A deposit as operations answer it. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../kernel/clock.ts';
import { formatAmount } from '../kernel/money.ts';
import {
  amountOrNull,
  amountOutput,
  currencyField,
  environmentField,
  oneOf,
  timeOrNull,
  timeOutput,
} from '../kernel/operation-fields.ts';
import { textOrNull } from '../kernel/or-null.ts';
import type { DepositRow } from './deposit-store.ts';

export const depositOutput = Type.Object({
  id: Type.String(),
  state: oneOf(['suspense', 'credited', 'assigned']),
  /** Null in suspense. */
  merchant: textOrNull,
  environment: environmentField,
  currency: currencyField,
  gross: amountOutput,
  fee: amountOutput,
  /** What the bank says that it paid out; null where it does not. */
  settled: amountOrNull,
  provider: Type.String(),
  provider_reference: Type.String(),
  paid_to: Type.String(),
  paid_at: timeOutput,
  received_at: timeOutput,
  assigned_at: timeOrNull,
});

export function depositAnswer(row: DepositRow): Static<typeof depositOutput> {
  return {
    id: row.id,
    state: stateOf(row),
    merchant: row.merchant_code,
    environment: row.environment,
    currency: row.currency,
    gross: formatAmount(row.gross),
    fee: formatAmount(row.fee),
    settled: row.settled === null ? null : formatAmount(row.settled),
    provider: row.provider,
    provider_reference: row.provider_reference,
    paid_to: row.paid_to,
    paid_at: formatRfc3339(row.paid_at),
    received_at: formatRfc3339(row.created_at),
    assigned_at: row.assigned_at && formatRfc3339(row.assigned_at),
  };
}

function stateOf(row: DepositRow): 'suspense' | 'credited' | 'assigned' {
  if (row.assigned_at !== null) return 'assigned';
  return row.merchant_code === null ? 'suspense' : 'credited';
}
