/** The sessions that are open, and ending them: of the operator's people, or of a merchant's. */
import { Type } from 'typebox';
import { admins, defineOperation, supporters } from '../../../core/operation.ts';
import { idField, inputOf, merchantField, pageFields, pageOf } from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Sql } from '../../../db/database.ts';
import type { Acting, Asking } from '../../../oversight/log/acting.ts';
import { endUserSessions } from '../change-user.ts';
import { findMember, operatorScope, type TenantScope, tenantScopeOf } from '../crew.ts';
import { listSessions } from '../session-store.ts';
import { emailField, sessionAnswer, sessionOutput } from '../user-answer.ts';

const ofOne = Type.Optional({ ...emailField, description: 'the address of one person; without, of all' });
const cursorFields = { limit: pageFields.limit, cursor: Type.Optional(idField) };
const oneSession = Type.Optional({
  ...idField,
  description: 'the id of one session; without, all of the person',
});
const ended = Type.Object({ email: Type.String(), ended: Type.Integer() });

type Asked = { readonly email?: string; readonly limit?: number; readonly cursor?: string };

async function pageOfScope(sql: Sql, crew: TenantScope, { email, limit = 50, cursor }: Asked) {
  const userId = email === undefined ? undefined : (await findMember(sql, crew, email)).id;
  const { merchantId } = crew;
  const found = await listSessions(sql, { merchantId, userId, before: cursor, limit: limit + 1 });
  return pageOfRead(found.map(sessionAnswer), limit, ({ id }) => id);
}

export const listSessionsOperation = defineOperation({
  name: 'session.list',
  kind: 'question',
  summary: "list the open sessions of the operator's people, newest first",
  roles: admins,
  listsPeople: true,
  route: 'GET /sessions',
  document: 'operators/console.md',
  input: inputOf({ email: ofOne, ...cursorFields }),
  output: pageOf(sessionOutput),
  run: async ({ sql }: Asking, asked) => await pageOfScope(sql, operatorScope, asked),
});

export const endSessionsOperation = defineOperation({
  name: 'session.end',
  kind: 'act',
  summary: "end one session of one of the operator's people, or all of the person's, at once",
  roles: admins,
  withoutStepUp: true,
  route: 'POST /users/{email}/sessions/end',
  document: 'operators/console.md',
  input: inputOf({ email: emailField, session: oneSession }),
  output: ended,
  run: async (acting: Acting, given) => await endUserSessions(acting, operatorScope, given),
});

export const listTeamSessionsOperation = defineOperation({
  name: 'team.list_sessions',
  kind: 'question',
  summary: "list the open sessions of a merchant's people, newest first",
  roles: supporters,
  portal: { roles: ['owner'] },
  listsPeople: true,
  route: 'GET /merchants/{merchant}/sessions',
  document: 'operators/console.md',
  input: inputOf({ merchant: merchantField, email: ofOne, ...cursorFields }),
  output: pageOf(sessionOutput),
  run: async ({ sql }: Asking, { merchant, ...asked }) =>
    await pageOfScope(sql, await tenantScopeOf(sql, merchant), asked),
});

export const endTeamSessionsOperation = defineOperation({
  name: 'team.end_sessions',
  kind: 'act',
  summary: "end one session of one of a merchant's people, or all of the person's, at once",
  roles: supporters,
  portal: { roles: ['owner'] },
  withoutStepUp: true,
  route: 'POST /merchants/{merchant}/team/{email}/sessions/end',
  document: 'operators/console.md',
  input: inputOf({ merchant: merchantField, email: emailField, session: oneSession }),
  output: ended,
  run: async (acting: Acting, { merchant, ...given }) =>
    await endUserSessions(acting, await tenantScopeOf(acting.tx, merchant), given),
});
