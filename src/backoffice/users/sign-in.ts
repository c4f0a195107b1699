/**
 * The first step of signing in: address and password.
 *
 * Guarantees: an unknown address, a wrong password, a suspended user and a user without a password
 * get the same error after the same work; a password is not enough for console users, or for users
 * with a second factor.
 */

import type { Queries } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { shareOfNetwork, shareOfUser, verifyPassword } from './hash-password.ts';
import { beginSession, nextOf, type Opened, type Present } from './open-session.ts';
import { readSecondFactors } from './second-factor-store.ts';
import { endSessions } from './session-store.ts';
import { SignInError } from './sign-in-error.ts';
import { actorOfUser, type SignInParts } from './sign-in-parts.ts';
import type { Audience } from './tenant-scope.ts';
import {
  accountBucket,
  addressBucket,
  type Client,
  forgiveTries,
  giveTriesBack,
  isKnown,
  takeTries,
} from './throttle.ts';
import { findUsersByEmail, lockPassword, type UserRow } from './user-store.ts';

export type Credentials = {
  readonly email: string;
  readonly password: string;
  /** Needed if several merchants have users with this address. */
  readonly merchant?: string | undefined;
};

/** Throws SignInError `sign_in_refused`, `too_many_tries`. */
export async function signIn(
  parts: SignInParts,
  { email, password, merchant }: Credentials,
  client: Client,
): Promise<Opened> {
  const { database, face } = parts;
  const address = addressBucket(face, client.address);
  await takeTries(database, [address]);
  const user = await findOne(parts, email, merchant);
  const pepper = await parts.pepper();
  // Checked for an unknown user too, so that the work is the same.
  const known = isKnown(pepper, user?.id ?? '', client.known) ? client.known : undefined;
  const account = accountBucket(face, email, known);
  await takeTries(database, [account]);
  const sharer =
    known === undefined ? shareOfNetwork(face, client.address) : shareOfUser(face, user?.id ?? '');
  // A password that was not verified, because too many calls wait, does not count.
  const isRight = await verifyPassword(password, user?.password, sharer).catch(async (error: unknown) => {
    await giveTriesBack(database, [address, account]);
    throw error;
  });
  if (!user?.password || !isRight || user.suspended_at !== null) {
    throw new SignInError({ code: 'sign_in_refused' });
  }
  const { id, password: hash } = user;
  await forgiveTries(database, { address, account });
  return await database.transaction(async (tx) => {
    // It may have been changed or removed since it was read.
    if (!(await lockPassword(tx, id, hash))) throw new SignInError({ code: 'sign_in_refused' });
    const next = nextOf(user, await readSecondFactors(tx, user.id));
    return await beginSession(tx, { user, face, client, next, by: 'password' });
  });
}

/** Finds the user. An address of several merchants needs the merchant too. */
async function findOne(
  { database, face }: Pick<SignInParts, 'database' | 'face'>,
  email: string,
  merchant: string | undefined,
): Promise<UserRow | undefined> {
  const found = await findUsersByEmail(database, { email, ofMerchant: face === 'portal', merchant });
  return found.length === 1 ? found[0] : undefined;
}

export async function signOut(database: Queries, { session, user }: Present, face: Audience): Promise<void> {
  await database.transaction(async (tx) => {
    const ended = await endSessions(tx, { userId: user.id, id: session.id }, 'signed out');
    // A half-open session did nothing that needs an audit entry.
    if (ended === 0 || session.state === 'half') return;
    await recordOperation(tx, {
      actor: actorOfUser(user, face, session.id),
      action: 'session.close',
      subject: `user:${user.id}`,
    });
  });
}

/** Ends one of the user's own sessions or, without `id`, all others. Returns the count. */
export async function endOwnSessions(
  database: Queries,
  { session, user }: Present,
  face: Audience,
  id: string | undefined,
): Promise<number> {
  return await database.transaction(async (tx) => {
    const which = id === undefined ? { except: session.id } : { id };
    const ended = await endSessions(tx, { userId: user.id, ...which }, 'ended');
    if (ended > 0) {
      await recordOperation(tx, {
        actor: actorOfUser(user, face, session.id),
        action: 'session.end',
        subject: `user:${user.id}`,
        after: { ended },
      });
    }
    return ended;
  });
}
