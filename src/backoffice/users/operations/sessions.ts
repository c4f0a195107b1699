/** Lists and ends sessions of users of the console or of a merchant. */
import { Type } from 'typebox';
import { admins, defineOperation, supporters } from '../../../core/operation.ts';
import { idField, inputOf, merchantField, pageFields, pageOf } from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Sql } from '../../../db/database.ts';
import type { Acting, Asking } from '../../../oversight/log/acting.ts';
import { endUserSessions } from '../change-user.ts';
import { listSessions } from '../session-store.ts';
import { findMember, operatorScope, type TenantScope, tenantScopeOf } from '../tenant-scope.ts';
import { emailField, sessionAnswer, sessionOutput } from '../user-answer.ts';

const ofOne = Type.Optional({ ...emailField, description: 'the address of one user (default: all users)' });
const cursorFields = { limit: pageFields.limit, cursor: Type.Optional(idField) };
const oneSession = Type.Optional({
  ...idField,
  description: 'the id of one session (default: all sessions of the user)',
});
const ended = Type.Object({ email: Type.String(), ended: Type.Integer() });

type Filters = { readonly email?: string; readonly limit?: number; readonly cursor?: string };

async function pageOfScope(sql: Sql, scope: TenantScope, { email, limit = 50, cursor }: Filters) {
  const userId = email === undefined ? undefined : (await findMember(sql, scope, email)).id;
  const { merchantId } = scope;
  const found = await listSessions(sql, { merchantId, userId, before: cursor, limit: limit + 1 });
  return pageOfRead(found.map(sessionAnswer), limit, ({ id }) => id);
}

export const listSessionsOperation = defineOperation({
  name: 'session.list',
  kind: 'question',
  summary: 'list open sessions of console users, newest first',
  roles: admins,
  listsPeople: true,
  route: 'GET /sessions',
  document: 'operators/console.md',
  input: inputOf({ email: ofOne, ...cursorFields }),
  output: pageOf(sessionOutput),
  run: async ({ sql }: Asking, filters) => await pageOfScope(sql, operatorScope, filters),
});

export const endSessionsOperation = defineOperation({
  name: 'session.end',
  kind: 'act',
  summary: 'end one session or all sessions of a console user immediately',
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
  summary: "list open sessions of a merchant's users, newest first",
  roles: supporters,
  portal: { roles: ['owner'] },
  listsPeople: true,
  route: 'GET /merchants/{merchant}/sessions',
  document: 'operators/console.md',
  input: inputOf({ merchant: merchantField, email: ofOne, ...cursorFields }),
  output: pageOf(sessionOutput),
  run: async ({ sql }: Asking, { merchant, ...filters }) =>
    await pageOfScope(sql, await tenantScopeOf(sql, merchant), filters),
});

export const endTeamSessionsOperation = defineOperation({
  name: 'team.end_sessions',
  kind: 'act',
  summary: "end one session or all sessions of a merchant's user immediately",
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
