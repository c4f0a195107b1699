/** Single-use links: invitations, password resets and the demo's sign-in. Hashes are stored. */

import { isEmail } from '../../core/email.ts';
import { invariant } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { revokeTokensOf } from '../access/access-token-store.ts';
import { requireFitPassword } from './check-password.ts';
import { hashPassword, shareOfUser } from './hash-password.ts';
import { deleteLinks, findLink, insertLink, type LinkPurpose, type LinkRow, useLink } from './link-store.ts';
import { insertMail } from './mail-store.ts';
import { beginSession, nextOf, type Opened } from './open-session.ts';
import { readSecondFactors } from './second-factor-store.ts';
import { hashOfToken, isSecretToken, newSecretToken } from './secret-token.ts';
import { endSessions } from './session-store.ts';
import { SignInError } from './sign-in-error.ts';
import { actorOfUser, principalOf, type SignInParts } from './sign-in-parts.ts';
import type { Audience } from './tenant-scope.ts';
import { addressBucket, type Client, mailBucket, takeTries } from './throttle.ts';
import { giveTryBack } from './throttle-store.ts';
import { findUser, type UserRow, updateUser } from './user-store.ts';

export async function newLink(
  tx: Tx,
  userId: string,
  purpose: LinkPurpose,
): Promise<{ readonly token: string; readonly expiresAt: Date }> {
  const token = newSecretToken();
  const expiresAt = await insertLink(tx, { hash: hashOfToken(token), userId, purpose });
  invariant(expiresAt !== undefined, 'an insert returns its row');
  return { token, expiresAt };
}

/** Returns the URL of a link. The token is after `#`, which browsers do not send to servers. */
export function linkAddress(url: string, purpose: LinkPurpose, token: string): string {
  const path = purpose === 'sign_in' ? 'sign-in' : 'welcome';
  return `${url.replace(/\/$/, '')}/${path}#token=${token}`;
}

export type Looked = { readonly link: LinkRow; readonly user: UserRow };

/** Returns a link and its user. Throws SignInError `link_over`, `too_many_tries`. */
export async function lookAtLink(parts: SignInParts, token: string, client: Client): Promise<Looked> {
  const address = addressBucket(parts.face, client.address);
  await takeTries(parts.database, [address]);
  const link = isSecretToken(token) ? await findLink(parts.database, hashOfToken(token)) : undefined;
  const looked = await withUser(parts.database, link, parts.face);
  await giveTryBack(parts.database, address);
  return looked;
}

async function withUser(sql: Sql, link: LinkRow | undefined, face: Audience): Promise<Looked> {
  const user = link && (await findUser(sql, link.user_id));
  const isHere = user !== undefined && (user.merchant_id === null) === (face === 'console');
  if (link === undefined || !isHere || user.suspended_at !== null) {
    throw new SignInError({ code: 'link_over' });
  }
  return { link, user };
}

/**
 * Sets the password of an invitation or a reset. All sessions of the user and tokens that the user
 * created end. The second factor is still needed. Throws SignInError `link_over`, `password_unfit`,
 * `too_many_tries`.
 */
export async function acceptLink(
  parts: SignInParts,
  given: { readonly token: string; readonly password: string; readonly name?: string | undefined },
  client: Client,
): Promise<Opened> {
  const { link, user } = await lookAtLink(parts, given.token, client);
  if (link.purpose === 'sign_in') throw new SignInError({ code: 'link_over' });
  const name = (link.purpose === 'invitation' ? given.name?.trim() : undefined) || user.name;
  requireFitPassword(given.password, { email: user.email, name });
  const { face } = parts;
  const password = await hashPassword(given.password, shareOfUser(face, user.id));
  return await parts.database.transaction(async (tx) => {
    // Only one of two concurrent uses succeeds.
    const used = await useLink(tx, hashOfToken(given.token));
    if (used === undefined) throw new SignInError({ code: 'link_over' });
    await deleteLinks(tx, user.id);
    await updateUser(tx, user.id, { name, password });
    await endSessions(tx, { userId: user.id }, 'password changed');
    await revokeTokensOf(tx, principalOf(user), []);
    const chosen = { ...user, name };
    await recordOperation(tx, {
      actor: actorOfUser(chosen, face, undefined),
      action: used.purpose === 'invitation' ? 'user.accept' : 'user.set_password',
      subject: `user:${user.id}`,
      after: { by: used.purpose, address: client.address },
    });
    const next = nextOf(user, await readSecondFactors(tx, user.id));
    return await beginSession(tx, { user: chosen, face, client, next, by: 'link' });
  });
}

/** Signs in by a link of the demo. Throws SignInError `link_over`, `too_many_tries`. */
export async function signInByLink(parts: SignInParts, token: string, client: Client): Promise<Opened> {
  const { link, user } = await lookAtLink(parts, token, client);
  if (link.purpose !== 'sign_in') throw new SignInError({ code: 'link_over' });
  return await parts.database.transaction(async (tx) => {
    const used = await useLink(tx, hashOfToken(token));
    if (used === undefined) throw new SignInError({ code: 'link_over' });
    // The demo's user has no password to confirm.
    const steppedUp = 'always';
    return await beginSession(tx, { user, face: parts.face, client, next: 'done', by: 'link', steppedUp });
  });
}

/**
 * Queues an e-mail with a password reset link. It stores and answers the same for an unknown
 * address, because the user is looked up when the e-mail is sent. Throws SignInError
 * `too_many_tries`.
 */
export async function requestPasswordReset(parts: SignInParts, text: string, client: Client): Promise<void> {
  const { database, face } = parts;
  const email = text.trim().toLowerCase();
  await takeTries(database, [addressBucket(face, client.address), mailBucket(face, email)]);
  if (!isEmail(email)) return;
  await insertMail(database, { id: newId(), face, purpose: 'reset', user_id: null, email });
}
