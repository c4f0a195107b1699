/** Lists personal access tokens, newest first. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../../../core/answer.ts';
import type { Clock } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { admins, defineOperation, roles } from '../../../core/operation.ts';
import {
  inputOf,
  nullableTime,
  oneOf,
  pageFields,
  pageOf,
  text,
  timeOutput,
} from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Acting, Asking } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import {
  type AccessTokenRow,
  listAccessTokens,
  lockAccessToken,
  updateTokenRevoked,
} from '../access-token-store.ts';

export const tokenOutput = Type.Object({
  id: Type.String(),
  name: Type.String(),
  roles: Type.Array(oneOf(roles)),
  state: oneOf(['active', 'expired', 'revoked']),
  created_at: timeOutput,
  created_by: Type.String(),
  expires_at: timeOutput,
  last_used_at: nullableTime,
});

export function tokenAnswer(token: AccessTokenRow, now: Date): Static<typeof tokenOutput> {
  const state = token.revoked_at !== null ? 'revoked' : token.expires_at <= now ? 'expired' : 'active';
  return answerOf(tokenOutput, { ...token, state });
}

export const listTokensOperation = defineOperation({
  name: 'token.list',
  kind: 'question',
  summary: 'list personal access tokens, newest first',
  roles: admins,
  route: 'GET /tokens',
  document: 'operators/access.md',
  input: inputOf(pageFields),
  output: pageOf(tokenOutput),
  run: async ({ sql, clock }: Asking & { readonly clock: Clock }, { limit = 50, cursor }) => {
    const found = await listAccessTokens(sql, { after: cursor, limit: limit + 1 });
    const now = clock.now();
    return pageOfRead(
      found,
      limit,
      ({ id }) => id,
      (token) => tokenAnswer(token, now),
    );
  },
});

export const revokeTokenOperation = defineOperation({
  name: 'token.revoke',
  kind: 'act',
  summary: 'revoke a personal access token immediately',
  roles: admins,
  route: 'POST /tokens/{id}/revoke',
  document: 'operators/access.md',
  confirm: 'Requests with this token will be refused. Revoke it?',
  input: inputOf({ id: text('the id of a token') }),
  output: Type.Object({ id: Type.String(), changed: Type.Boolean() }),
  run: async ({ tx, actor }: Acting, { id }) => {
    const token = await lockAccessToken(tx, id);
    if (token === undefined) throw new OperationError({ code: 'no_token', token: id });
    if (token.revoked_at !== null) return { id, changed: false };
    await updateTokenRevoked(tx, id);
    await recordOperation(tx, {
      actor,
      action: 'token.revoke',
      subject: `token:${id}`,
      before: { name: token.name, revoked: false },
      after: { revoked: true },
    });
    return { id, changed: true };
  },
});
