/** A line of a statement as operations and CSV have it. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../kernel/clock.ts';
import { formatAmount } from '../kernel/money.ts';
import { amountOutput, oneOf, timeOutput } from '../kernel/operation-fields.ts';
import { textOrNull } from '../kernel/or-null.ts';
import { lineKinds, type StatementLine } from './statement.ts';

export const statementItemOutput = Type.Object({
  time: timeOutput,
  type: oneOf(lineKinds),
  reference: Type.String(),
  internal_reference: Type.String(),
  amount: amountOutput,
  balance: amountOutput,
  /** Of a purchase what was bought, and for whom; null of anything else. */
  product: textOrNull,
  network: textOrNull,
  recipient: textOrNull,
  /** For the house: why a correction was made, or what a voucher paid. */
  memo: textOrNull,
});

export type StatementItem = Static<typeof statementItemOutput>;

export function statementItem({
  at,
  kind,
  reference,
  subjectId,
  amount,
  balance,
  sold,
  memo,
}: StatementLine): StatementItem {
  return {
    time: formatRfc3339(at),
    type: kind,
    reference,
    internal_reference: subjectId,
    amount: formatAmount(amount),
    balance: formatAmount(balance),
    product: sold?.product ?? null,
    network: sold?.network ?? null,
    recipient: sold?.recipient ?? null,
    memo: memo ?? null,
  };
}
