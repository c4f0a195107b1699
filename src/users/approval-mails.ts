/**
 * E-mails to the people who may approve an act that waits. One is stored for each of them, in the
 * transaction of the request. Who it goes to is judged again when it is sent: a person who may not
 * approve the act any more, or an act that was decided meanwhile, gets none.
 */
import { listDeciders } from '../approvals/approval-answer.ts';
import { type ApprovalRow, findApproval } from '../approvals/approval-store.ts';
import type { Looking } from '../approvals/judge-decider.ts';
import type { Sql, Tx } from '../db/database.ts';
import { newId } from '../kernel/ids.ts';
import { composeApprovalMail, type Mail } from './compose-mail.ts';
import { insertMail, type MailRow } from './mail-store.ts';

export async function insertApprovalMails(
  tx: Tx,
  approval: ApprovalRow,
  rolesOf: Looking['rolesOf'],
): Promise<void> {
  for (const { user_id: userId, email } of await listDeciders(tx, approval, rolesOf)) {
    if (userId === null || email === null) continue;
    const to = { id: newId(), face: 'console', user_id: userId, email } as const;
    await insertMail(tx, { ...to, purpose: 'approval', approval_id: approval.id });
  }
}

/** Undefined where nothing is to be sent any more. */
export async function readApprovalMail(
  sql: Sql,
  { id, user_id: userId, approval_id: approvalId }: MailRow,
  consoleUrl: string,
  rolesOf: Looking['rolesOf'],
): Promise<Mail | undefined> {
  const approval = approvalId === null ? undefined : await findApproval(sql, approvalId);
  if (approval === undefined) return undefined;
  const deciders = await listDeciders(sql, approval, rolesOf);
  const to = deciders.find((person) => person.user_id === userId)?.email;
  if (to === undefined || to === null) return undefined;
  const link = `${consoleUrl.replace(/\/$/, '')}/approvals/${approval.id}`;
  return composeApprovalMail(id, to, approval, link);
}
