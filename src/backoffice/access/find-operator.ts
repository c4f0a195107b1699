/**
 * Who sends a personal access token, and what that person may do.
 *
 * Guarantee: the token is looked up each time, so that one that is revoked is refused at once,
 * whatever the process.
 */

import type { Actor } from '../../core/actor.ts';
import type { Role } from '../../core/operation.ts';
import type { Queries } from '../../db/database.ts';
import { isSecretOf, parseToken } from './access-token.ts';
import { findAccessToken, updateTokenUsed } from './access-token-store.ts';

export type TokenOwner = Actor & { readonly roles: readonly Role[] };

/** Undefined for what is no token, or none that may be used. */
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
  // Nobody waits for a note of this.
  await updateTokenUsed(database, token.id).catch(() => undefined);
  return { name: token.name, principal: `token:${token.id} (${token.name})`, edge, roles: token.roles };
}
