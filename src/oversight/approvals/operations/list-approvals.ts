/** Lists approval requests and their results, without inputs of over 4 KiB. */

import { Type } from 'typebox';
import { OperationError } from '../../../core/errors.ts';
import { nullableText } from '../../../core/nullable.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { idField, idPageFields, inputOf, oneOf, pageOf } from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Asking } from '../../log/acting.ts';
import {
  answerApproval,
  answerApprovals,
  approvalOutput,
  listDeciders,
  personAnswer,
  shownApprovalOutput,
} from '../approval-answer.ts';
import { approvalStates, findApproval, listApprovals, listControls, listWaiting } from '../approval-store.ts';
import { type Looking, refusalOf } from '../is-one-person.ts';

export const listApprovalsOperation = defineOperation({
  name: 'approval.list',
  kind: 'question',
  summary: "list requests for a second person's approval, open and decided, newest first",
  roles,
  listsPeople: true,
  route: 'GET /approvals',
  document: 'operators/approvals.md',
  input: inputOf({ state: oneOf([...approvalStates, 'all'], { default: 'waiting' }), ...idPageFields }),
  output: pageOf(approvalOutput),
  run: async ({ sql, ...looking }: Asking & Looking, { state, limit = 50, cursor }) => {
    const wanted = { state: state === 'all' ? undefined : state, before: cursor, limit: limit + 1 };
    const found = await listApprovals(sql, wanted);
    const { data, cursor: next } = pageOfRead(found, limit, ({ id }) => id);
    return { data: await answerApprovals(sql, data, looking), cursor: next };
  },
});

export const showApprovalOperation = defineOperation({
  name: 'approval.show',
  kind: 'question',
  summary: 'show an approval request, open or decided, and who may approve it',
  roles,
  route: 'GET /approvals/{approval}',
  document: 'operators/approvals.md',
  input: inputOf({ approval: idField }),
  output: shownApprovalOutput,
  run: async ({ sql, ...looking }: Asking & Looking, { approval: id }) => {
    const found = await findApproval(sql, id);
    if (found === undefined) throw new OperationError({ code: 'no_approval', approval: id });
    const deciders = await listDeciders(sql, found, looking.rolesOf);
    return { ...(await answerApproval(sql, found, looking)), deciders: deciders.map(personAnswer) };
  },
});

/** The maximum number of requests that are read, which limits the work of a count. */
const COUNTED_MAX = 200;

export const countApprovalsOperation = defineOperation({
  name: 'approval.count',
  kind: 'question',
  summary: 'count the open approval requests, and those that you may approve; 200 means 200 or more',
  roles,
  route: 'GET /approvals/count',
  document: 'operators/approvals.md',
  input: inputOf({}),
  output: Type.Object({ waiting: Type.Integer(), for_you: Type.Integer(), newest: nullableText }),
  run: async ({ sql, looker, rolesOf }: Asking & Looking) => {
    const waiting = await listWaiting(sql, COUNTED_MAX);
    const controls = await listControls(sql);
    const yours = waiting.filter((one) => refusalOf(one, looker, controls, rolesOf) === undefined);
    return { waiting: waiting.length, for_you: yours.length, newest: waiting[0]?.id ?? null };
  },
});
