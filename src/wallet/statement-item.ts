/** A line of a statement as operations and CSV have it. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../kernel/clock.ts';
import { formatAmount } from '../kernel/money.ts';
import { amountOutput, oneOf, timeOutput } from '../kernel/operation-fields.ts';
import { lineKinds, type StatementLine } from './statement.ts';

export const statementItemOutput = Type.Object({
  time: timeOutput,
  type: oneOf(lineKinds),
  reference: Type.String(),
  internal_reference: Type.String(),
  amount: amountOutput,
  balance: amountOutput,
});

export type StatementItem = Static<typeof statementItemOutput>;

export function statementItem({
  at,
  kind,
  reference,
  subjectId,
  amount,
  balance,
}: StatementLine): StatementItem {
  return {
    time: formatRfc3339(at),
    type: kind,
    reference,
    internal_reference: subjectId,
    amount: formatAmount(amount),
    balance: formatAmount(balance),
  };
}
