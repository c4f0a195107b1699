/**
 * Approves or rejects an operation that waits for a second person.
 *
 * Guarantees: the person who requested it cannot approve it under another name or token, nor
 * through a user whom that person made, invited, reset or gave a role; it is decided once; an
 * approved operation runs with the stored input, in the transaction of the decision; a secret in
 * its output goes to the approver, and is not stored; the audit log names both persons.
 */

import type { Actor } from '../../../core/actor.ts';
import { invariant, OperationError } from '../../../core/errors.ts';
import { defineOperation, supportersAndTreasurers } from '../../../core/operation.ts';
import { idField, inputOf, reasonField } from '../../../core/operation-fields.ts';
import type { Tx } from '../../../db/database.ts';
import type { Acting } from '../../log/acting.ts';
import { recordOperation } from '../../log/audit-log-store.ts';
import { answerApproval, approvalOutput } from '../approval-answer.ts';
import {
  type ApprovalRow,
  findApproval,
  insertDecision,
  listControls,
  lockApproval,
} from '../approval-store.ts';
import { type Looking, refusalOf } from '../is-one-person.ts';

/** An operation as it was requested. */
export type AskedAct = {
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly actor: Actor;
};

/**
 * Runs the operation in the transaction for its requester. Throws OperationError `role_lacking` if
 * the approver does not have a role for it.
 */
type CarryingOut = { readonly carryOut: (tx: Tx, asked: AskedAct) => Promise<CarriedOut> };

export type CarriedOut = {
  /** The output of the operation, which only the approver sees, once. */
  readonly output: unknown;
  /** The same without values that are shown once. */
  readonly stored: unknown;
};

async function requireWaiting(tx: Tx, id: string): Promise<ApprovalRow> {
  const approval = await lockApproval(tx, id);
  if (approval === undefined) throw new OperationError({ code: 'no_approval', approval: id });
  const { state } = approval;
  if (state !== 'waiting') throw new OperationError({ code: 'approval_over', state });
  return approval;
}

async function readDecided(tx: Tx, id: string, looking: Looking) {
  const decided = await findApproval(tx, id);
  invariant(decided !== undefined, 'what was locked is there');
  return await answerApproval(tx, decided, looking);
}

export const approveOperation = defineOperation({
  name: 'approval.approve',
  kind: 'act',
  summary: 'approve a request of another person: it takes effect unchanged, immediately',
  roles: supportersAndTreasurers,
  route: 'POST /approvals/{approval}/approve',
  document: 'operators/approvals.md',
  showsSecret: true,
  confirm: 'It takes effect immediately, in the name of both of you. Approve it?',
  input: inputOf({ approval: idField }),
  output: approvalOutput,
  run: async ({ tx, actor, carryOut, ...looking }: Acting & CarryingOut & Looking, { approval: id }) => {
    const approval = await requireWaiting(tx, id);
    const { operation, input, ...asked } = approval;
    const { looker, rolesOf } = looking;
    // The operation itself reports a missing role.
    if (refusalOf(approval, looker, await listControls(tx), rolesOf) === 'approval_by_same_person') {
      throw new OperationError({ code: 'approval_by_same_person', principal: asked.asked_principal });
    }
    await recordOperation(tx, {
      actor,
      action: 'approval.approve',
      subject: `approval:${id}`,
      before: { state: 'waiting' },
      after: {
        state: 'approved',
        operation,
        asked_by: asked.asked_by,
        asked_principal: asked.asked_principal,
      },
    });
    const asker = { name: asked.asked_by, principal: asked.asked_principal, edge: asked.asked_edge };
    const { output, stored } = await carryOut(tx, { operation, input, actor: asker });
    await insertDecision(tx, { id, decision: 'approved', actor, output: stored });
    return { ...(await readDecided(tx, id, looking)), output };
  },
});

export const rejectOperation = defineOperation({
  name: 'approval.reject',
  kind: 'act',
  summary: 'reject a request, or withdraw your own: it does not take effect',
  roles: supportersAndTreasurers,
  withoutStepUp: true,
  route: 'POST /approvals/{approval}/reject',
  document: 'operators/approvals.md',
  input: inputOf({ approval: idField, reason: reasonField }),
  output: approvalOutput,
  run: async ({ tx, actor, ...looking }: Acting & Looking, { approval: id, reason }) => {
    const { operation } = await requireWaiting(tx, id);
    await insertDecision(tx, { id, decision: 'rejected', actor, reason });
    await recordOperation(tx, {
      actor,
      action: 'approval.reject',
      subject: `approval:${id}`,
      before: { state: 'waiting' },
      after: { state: 'rejected', operation, reason },
    });
    return await readDecided(tx, id, looking);
  },
});
