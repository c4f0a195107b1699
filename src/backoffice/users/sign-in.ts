/**
 * Signing in by address and password: the first step.
 *
 * Guarantees: an address that is not known, a password that is wrong, a user who is suspended and
 * one who has no password yet are refused in the same words after the same work; a right password
 * alone opens nothing for the operator's people, nor for whoever has a second factor.
 */

import type { Queries } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { Audience } from './crew.ts';
import { shareOfNetwork, shareOfUser, verifyPassword } from './hash-password.ts';
import { beginSession, nextOf, type Opened, type Present } from './open-session.ts';
import { readSecondFactors } from './second-factor-store.ts';
import { endSessions } from './session-store.ts';
import { SignInError } from './sign-in-error.ts';
import { actorOfUser, type SignInParts } from './sign-in-parts.ts';
import {
  accountBucket,
  addressBucket,
  type Client,
  forgiveTries,
  giveTriesBack,
  isKnown,
  takeTries,
} from './throttle.ts';
import { findUsersByEmail, type UserRow } from './user-store.ts';

export type Credentials = {
  readonly email: string;
  readonly password: string;
  /** For whoever works for several merchants under one address. */
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
  // Compared for nobody too: the same work is done.
  const known = isKnown(pepper, user?.id ?? '', client.known) ? client.known : undefined;
  const account = accountBucket(face, email, known);
  await takeTries(database, [account]);
  const sharer =
    known === undefined ? shareOfNetwork(face, client.address) : shareOfUser(face, user?.id ?? '');
  // Where too many wait it was not compared, and does not count.
  const isRight = await verifyPassword(password, user?.password, sharer).catch(async (error: unknown) => {
    await giveTriesBack(database, [address, account]);
    throw error;
  });
  if (user === undefined || !isRight || user.suspended_at !== null) {
    throw new SignInError({ code: 'sign_in_refused' });
  }
  await forgiveTries(database, { address, account });
  return await database.transaction(async (tx) => {
    const next = nextOf(user, await readSecondFactors(tx, user.id));
    return await beginSession(tx, { user, face, client, next, by: 'password' });
  });
}

/** Who it is. An address that several merchants have needs the merchant too. */
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
    // What was half open never did anything.
    if (ended === 0 || session.state === 'half') return;
    await recordOperation(tx, {
      actor: actorOfUser(user, face, session.id),
      action: 'session.close',
      subject: `user:${user.id}`,
    });
  });
}

/** One of the user's own sessions or, without `id`, all others. Gives how many ended. */
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
