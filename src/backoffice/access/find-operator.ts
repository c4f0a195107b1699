/**
 * Authenticates personal access tokens.
 *
 * Guarantee: each request looks the token up, so a revoked token is refused at once by all
 * processes.
 */

import type { Actor } from '../../core/actor.ts';
import type { Role } from '../../core/operation.ts';
import type { Queries } from '../../db/database.ts';
import { isSecretOf, parseToken } from './access-token.ts';
import { findAccessToken, updateTokenUsed } from './access-token-store.ts';

export type TokenOwner = Actor & { readonly roles: readonly Role[] };

/** Returns the owner of a token. Undefined if the token is unknown or invalid. */
export async function findOperator(
  database: Queries,
  text: string,
  edge: Actor['edge'],
): Promise<TokenOwner | undefined> {
  const parts = parseToken(text);
  if (parts === undefined) return undefined;
  const token = await findAccessToken(database, parts.id);
  if (token === undefined || !isSecretOf(parts.secret, token.secret_hash) || !token.is_valid) {
    return undefined;
  }
  // A failure to record the use is ignored.
  await updateTokenUsed(database, token.id).catch(() => undefined);
  return { name: token.name, principal: `token:${token.id} (${token.name})`, edge, roles: token.roles };
}
