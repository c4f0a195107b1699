/** The evidence of our balance about an attempt, as operations and the timeline show it. */

import { Type } from 'typebox';
import { answerOf } from '../../core/answer.ts';
import { formatAmount } from '../../core/money.ts';
import { nullable } from '../../core/nullable.ts';
import { nullableAmount, nullableTime, oneOf, timeOutput } from '../../core/operation-fields.ts';
import type { BalanceEvidenceRow } from './timeline-store.ts';

export const balanceEvidenceOutput = Type.Object({
  attempt: Type.Integer(),
  verdict: oneOf(['moved', 'unmoved', 'undecided']),
  why: Type.String(),
  before: nullableAmount,
  before_at: nullableTime,
  after: nullableAmount,
  after_at: nullableTime,
  /** The amounts of other purchases and movements between the two. */
  others: nullableAmount,
  cost: nullableAmount,
  /** The number of movements that may or may not be between the two. */
  beside: nullable(Type.Integer()),
  at: timeOutput,
});

export function balanceEvidenceAnswer(row: BalanceEvidenceRow) {
  return answerOf(balanceEvidenceOutput, { ...row, before: row.before_amount, after: row.after_amount });
}

const balanceWords: Readonly<Record<string, string>> = {
  no_reading_before: 'it was not read before the order',
  no_reading_after: 'it was not read long enough after the order',
  several_explanations: 'other orders explain it as well',
  no_explanation: 'no order explains it: a fee, a top-up, another user or another price',
  not_moved_yet: 'it does not have the order yet',
  too_many_orders: 'too many other orders to compare',
};

/** One line of the timeline. */
export function balanceDetail(row: BalanceEvidenceRow): string {
  const { attempt, verdict, why, before_amount: before, after_amount: after, others, cost } = row;
  const said =
    verdict === 'undecided'
      ? `does not decide attempt ${attempt}: ${balanceWords[why] ?? why}`
      : verdict === 'moved'
        ? `has attempt ${attempt}, and nothing else explains it`
        : `does not have attempt ${attempt}, a day later`;
  if (before === null || after === null) return said;
  const parts = [
    ...(others === null || others === 0n ? [] : [`${formatAmount(others)} for others`]),
    ...(cost === null ? [] : [`${formatAmount(cost)} for this one`]),
  ];
  const sum = parts.length === 0 ? '' : `, ${parts.join(' and ')}`;
  return `${formatAmount(before)} to ${formatAmount(after)}${sum}: ${said}`;
}
