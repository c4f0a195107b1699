/**
 * Opens sessions. A session without its second factor is half open and can do nothing else. It gets
 * a new token when it opens, which prevents session fixation.
 */

import { newId } from '../../core/ids.ts';
import type { Queries, Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { SecondFactors } from './second-factor-store.ts';
import { hashOfToken, isSecretToken, newSecretToken } from './secret-token.ts';
import {
  endOldestSessions,
  findSession,
  insertSession,
  type LiveSession,
  openSession,
  stepUpSession,
  updateSeen,
} from './session-store.ts';
import { SignInError } from './sign-in-error.ts';
import { actorOfUser } from './sign-in-parts.ts';
import type { Audience } from './tenant-scope.ts';
import type { Client } from './throttle.ts';
import { type UserRow, updateSignedIn } from './user-store.ts';

/** The next step of a sign-in: enter the second factor, set one up, or no step. */
export type Next = 'code' | 'enrol' | 'done';

/** A new session. Only the browser gets the token. */
export type Opened = { readonly token: string; readonly next: Next; readonly user: UserRow };

/** How a session was opened. */
export type OpenedBy = 'password' | 'code' | 'recovery_code' | 'passkey' | 'link' | 'enrolment';

const AGENT_LENGTH_MAX = 200;

/** Returns the next step. Console users need a second factor; it is optional in the portal. */
export function nextOf(user: Pick<UserRow, 'merchant_id'>, { totp, passkeys }: SecondFactors): Next {
  if (totp || passkeys > 0) return 'code';
  return user.merchant_id === null ? 'enrol' : 'done';
}

export async function beginSession(
  tx: Tx,
  begun: {
    readonly user: UserRow;
    readonly face: Audience;
    readonly client: Client;
    readonly next: Next;
    readonly by: OpenedBy;
    readonly steppedUp?: 'shortly' | 'always';
  },
): Promise<Opened> {
  const { user, face, client, next, by, steppedUp = 'shortly' } = begun;
  const token = newSecretToken();
  const id = newId();
  const isDone = next === 'done';
  const state = isDone ? 'open' : 'half';
  await insertSession(tx, {
    id,
    userId: user.id,
    tokenHash: hashOfToken(token),
    opened_by: by,
    address: client.address,
    agent: client.agent.replaceAll(/\p{Cc}/gu, ' ').slice(0, AGENT_LENGTH_MAX),
    state,
    steppedUp: isDone ? steppedUp : 'no',
  });
  await endOldestSessions(tx, user.id, state);
  if (isDone) await recordOpened(tx, { user, face, client, by }, id);
  return { token, next, user };
}

/** Opens a half-open session after its second factor. Throws SignInError `signed_out`. */
export async function finishSession(
  tx: Tx,
  half: {
    readonly id: string;
    readonly token: string;
    readonly user: UserRow;
    readonly face: Audience;
    readonly client: Client;
    readonly by: OpenedBy;
  },
): Promise<Opened> {
  const token = newSecretToken();
  const session = { id: half.id, oldHash: hashOfToken(half.token), tokenHash: hashOfToken(token) };
  if (!(await openSession(tx, { ...session, openedBy: half.by }))) {
    throw new SignInError({ code: 'signed_out' });
  }
  await endOldestSessions(tx, half.user.id, 'open');
  await recordOpened(tx, half, half.id);
  return { token, next: 'done', user: half.user };
}

/** Renews a confirmed session and returns its new token. Throws SignInError `signed_out`. */
export async function renewSession(
  tx: Tx,
  session: { readonly id: string; readonly token: string },
): Promise<string> {
  const token = newSecretToken();
  const renewed = { id: session.id, oldHash: hashOfToken(session.token), tokenHash: hashOfToken(token) };
  if (!(await stepUpSession(tx, renewed))) throw new SignInError({ code: 'signed_out' });
  return token;
}

async function recordOpened(
  tx: Tx,
  {
    user,
    face,
    client,
    by,
  }: { readonly user: UserRow; readonly face: Audience; readonly client: Client; readonly by: OpenedBy },
  session: string,
): Promise<void> {
  await updateSignedIn(tx, user.id);
  await recordOperation(tx, {
    actor: actorOfUser(user, face, session),
    action: 'session.open',
    subject: `user:${user.id}`,
    after: { by, address: client.address },
  });
}

/** A session with its token, which proves when it is opened or renewed that it did not change. */
export type Present = LiveSession & { readonly token: string };

/** Finds the session of a token. Undefined if there is none in this application. */
export async function findPresent(
  sql: Queries,
  token: string | undefined,
  face: Audience,
): Promise<Present | undefined> {
  if (token === undefined || !isSecretToken(token)) return undefined;
  const found = await findSession(sql, hashOfToken(token));
  if (found === undefined || (found.user.merchant_id === null) !== (face === 'console')) return undefined;
  if (found.isUnseen) await updateSeen(sql, found.session.id);
  return { ...found, token };
}
