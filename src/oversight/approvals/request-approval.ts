/**
 * Stores an operation that needs a second person until it is decided. A repetition under the same
 * key returns the first request.
 */
import type { Actor } from '../../core/actor.ts';
import { invariant, OperationError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Tx } from '../../db/database.ts';
import { recordOperation } from '../log/audit-log-store.ts';
import type { About } from './approval-answer.ts';
import { type ApprovalRow, findApproval, findWaitingByKey, insertApproval } from './approval-store.ts';

export type ApprovalRequest = {
  readonly operation: string;
  readonly input: object & { readonly key?: string };
  readonly about: About;
};

/** Throws OperationError `key_used`. */
export async function requestApproval(
  tx: Tx,
  { operation, input, about }: ApprovalRequest,
  actor: Actor,
): Promise<{ readonly approval: ApprovalRow; readonly repeated: boolean }> {
  const { key } = input;
  const waiting = key === undefined ? undefined : await findWaitingByKey(tx, operation, key, input);
  if (waiting !== undefined && key !== undefined) {
    if (!waiting.is_same) throw new OperationError({ code: 'key_used', key });
    return { approval: waiting, repeated: true };
  }
  const id = newId();
  await insertApproval(tx, { id, operation, input, about, key, actor });
  await recordOperation(tx, {
    actor,
    action: 'approval.ask',
    subject: `approval:${id}`,
    after: { operation, input },
  });
  const stored = await findApproval(tx, id);
  invariant(stored !== undefined, 'what was stored is there');
  return { approval: stored, repeated: false };
}
