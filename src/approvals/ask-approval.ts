/**
 * Stores an act that needs a second person, to wait for one. Under a key the same is asked for
 * once, however often it is sent.
 */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Tx } from '../db/database.ts';
import type { Actor } from '../kernel/actor.ts';
import { invariant, OperationError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import { type ApprovalAnswer, approvalAnswer } from './approval-answer.ts';
import { findApproval, findWaitingByKey, insertApproval } from './approval-store.ts';

/** Throws OperationError `key_used`. */
export async function askApproval(
  tx: Tx,
  operation: string,
  input: object & { readonly key?: string },
  actor: Actor,
): Promise<{ readonly approval: ApprovalAnswer; readonly repeated: boolean }> {
  const { key } = input;
  const waiting = key === undefined ? undefined : await findWaitingByKey(tx, operation, key, input);
  if (waiting !== undefined && key !== undefined) {
    if (!waiting.is_same) throw new OperationError({ code: 'key_used', operation, key });
    return { approval: approvalAnswer(waiting), repeated: true };
  }
  const id = newId();
  await insertApproval(tx, { id, operation, input, key, actor });
  await recordOperation(tx, {
    actor,
    action: 'approval.ask',
    subject: `approval:${id}`,
    after: { operation, input },
  });
  const stored = await findApproval(tx, id);
  invariant(stored !== undefined, 'what was stored is there');
  return { approval: approvalAnswer(stored), repeated: false };
}
