/** A token as operations answer it: never its secret. */
import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../kernel/clock.ts';
import { roles } from '../kernel/operation.ts';
import { oneOf, timeOrNull, timeOutput } from '../kernel/operation-fields.ts';
import type { AccessTokenRow } from './access-token-store.ts';

export const tokenOutput = Type.Object({
  id: Type.String(),
  name: Type.String(),
  roles: Type.Array(oneOf(roles)),
  state: oneOf(['active', 'expired', 'revoked']),
  created_at: timeOutput,
  created_by: Type.String(),
  expires_at: timeOutput,
  last_used_at: timeOrNull,
});

export function tokenAnswer(token: AccessTokenRow, now: Date): Static<typeof tokenOutput> {
  return {
    id: token.id,
    name: token.name,
    roles: [...token.roles],
    state: token.revoked_at !== null ? 'revoked' : token.expires_at <= now ? 'expired' : 'active',
    created_at: formatRfc3339(token.created_at),
    created_by: token.created_by,
    expires_at: formatRfc3339(token.expires_at),
    last_used_at: token.last_used_at === null ? null : formatRfc3339(token.last_used_at),
  };
}
