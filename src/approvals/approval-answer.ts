/** An act that waits for a second person, as operations answer it. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../kernel/clock.ts';
import { oneOf, timeOrNull, timeOutput } from '../kernel/operation-fields.ts';
import { textOrNull } from '../kernel/or-null.ts';
import { type ApprovalRow, approvalStates } from './approval-store.ts';

export const approvalOutput = Type.Object({
  id: Type.String(),
  operation: Type.String(),
  state: oneOf(approvalStates),
  /** What is carried out once it is approved. */
  input: Type.Record(Type.String(), Type.Unknown()),
  asked_by: Type.String(),
  asked_principal: Type.String(),
  asked_at: timeOutput,
  expires_at: timeOutput,
  decided_by: textOrNull,
  decided_principal: textOrNull,
  decided_at: timeOrNull,
  /** Why it was rejected. */
  reason: textOrNull,
  /** What the act answered. */
  output: Type.Unknown(),
});

export type ApprovalAnswer = Static<typeof approvalOutput>;

export function approvalAnswer(row: ApprovalRow): ApprovalAnswer {
  return {
    id: row.id,
    operation: row.operation,
    state: row.state,
    input: row.input,
    asked_by: row.asked_by,
    asked_principal: row.asked_principal,
    asked_at: formatRfc3339(row.asked_at),
    expires_at: formatRfc3339(row.expires_at),
    decided_by: row.decided_by,
    decided_principal: row.decided_principal,
    decided_at: row.decided_at && formatRfc3339(row.decided_at),
    reason: row.reason,
    output: row.output,
  };
}
