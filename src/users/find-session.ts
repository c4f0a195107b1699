/**
 * Who sends a token. It is looked up each time, so that a session that was ended, or a user who was
 * suspended, is refused at once, whatever the process.
 */
import type { Queries } from '../db/database.ts';
import type { Face } from './crew.ts';
import { hashOfToken, isSecretToken } from './secret-token.ts';
import { findSession, type LiveSession, updateSeen } from './session-store.ts';

/** The token too: whoever opens or renews the session proves by it that it is still the same. */
export type Present = LiveSession & { readonly token: string };

/** Undefined for none, or none of this face. */
export async function findPresent(
  sql: Queries,
  token: string | undefined,
  face: Face,
): Promise<Present | undefined> {
  if (token === undefined || !isSecretToken(token)) return undefined;
  const found = await findSession(sql, hashOfToken(token));
  if (found === undefined || (found.user.merchant_id === null) !== (face === 'console')) return undefined;
  if (found.isUnseen) await updateSeen(sql, found.session.id);
  return { ...found, token };
}
