/** Lists users of the console or of a merchant. */

import { Type } from 'typebox';
import { admins, defineOperation, supporters } from '../../../core/operation.ts';
import { inputOf, merchantField, pageFields, pageOf } from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Sql } from '../../../db/database.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { readSecondFactors } from '../second-factor-store.ts';
import { findMember, operatorScope, type TenantScope, tenantScopeOf } from '../tenant-scope.ts';
import { emailField, userAnswer, userOutput } from '../user-answer.ts';
import { listUsers } from '../user-store.ts';

type Page = { readonly limit?: number; readonly cursor?: string };

async function pageOfScope(sql: Sql, { merchantId }: TenantScope, { limit = 50, cursor }: Page) {
  const found = await listUsers(sql, { merchantId, after: cursor, limit: limit + 1 });
  return pageOfRead(found.map(userAnswer), limit, ({ email }) => email);
}

export const listUsersOperation = defineOperation({
  name: 'user.list',
  kind: 'question',
  summary: 'list users of the console, by address',
  roles: admins,
  listsPeople: true,
  route: 'GET /users',
  document: 'operators/console.md',
  input: inputOf(pageFields),
  output: pageOf(userOutput),
  run: async ({ sql }: Asking, page) => await pageOfScope(sql, operatorScope, page),
});

export const listTeamOperation = defineOperation({
  name: 'team.list',
  kind: 'question',
  summary: 'list users of a merchant, by address',
  roles: supporters,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  listsPeople: true,
  route: 'GET /merchants/{merchant}/team',
  document: 'operators/console.md',
  input: inputOf({ merchant: merchantField, ...pageFields }),
  output: pageOf(userOutput),
  run: async ({ sql }: Asking, { merchant, ...page }) =>
    await pageOfScope(sql, await tenantScopeOf(sql, merchant), page),
});

export const showUserOperation = defineOperation({
  name: 'user.show',
  kind: 'question',
  summary: 'show a user of the console with roles and second factors',
  roles: admins,
  route: 'GET /users/{email}',
  document: 'operators/console.md',
  input: inputOf({ email: emailField }),
  output: Type.Object({
    ...userOutput.properties,
    created_by: Type.String(),
    second_factors: Type.Object({
      totp: Type.Boolean(),
      passkeys: Type.Integer(),
      recovery_codes_left: Type.Integer(),
    }),
  }),
  run: async ({ sql }: Asking, { email }) => {
    const user = await findMember(sql, operatorScope, email);
    const factors = await readSecondFactors(sql, user.id);
    return { ...userAnswer(user), created_by: user.created_by, second_factors: factors };
  },
});
