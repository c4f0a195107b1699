/**
 * The second step of signing in, signing in with a passkey, and confirming an open session.
 *
 * Guarantee: a code or passkey is used up in the transaction that opens the session.
 */
import type { Tx } from '../../db/database.ts';
import { shareOfUser, verifyPassword } from './hash-password.ts';
import {
  beginSession,
  finishSession,
  type Opened,
  type OpenedBy,
  type Present,
  renewSession,
} from './open-session.ts';
import { anybody, requestPasskey, takePasskey } from './passkeys.ts';
import { takeRecoveryCode } from './secret-token.ts';
import { SignInError } from './sign-in-error.ts';
import type { SignInParts } from './sign-in-parts.ts';
import {
  accountBucket,
  addressBucket,
  type Client,
  codeBucket,
  forgiveTries,
  giveTriesBack,
  takeTries,
} from './throttle.ts';
import { fillBucket, giveTryBack } from './throttle-store.ts';
import { takeTotpCode } from './totp.ts';
import { findUser } from './user-store.ts';

/** Returns a half-open session. Throws SignInError `signed_out`. */
function requireHalf(present: Present | undefined): Present {
  if (present?.session.state !== 'half') throw new SignInError({ code: 'signed_out' });
  return present;
}

/** Throws SignInError `signed_out`, `sign_in_refused`, `too_many_tries`. */
export async function giveCode(
  parts: SignInParts,
  present: Present | undefined,
  given: { readonly code?: string | undefined; readonly recovery_code?: string | undefined },
  client: Client,
): Promise<Opened> {
  const { session, user, token } = requireHalf(present);
  const { code, recovery_code: recoveryCode } = given;
  const bucket = codeBucket(user.id);
  await takeTries(parts.database, [bucket]);
  const sealer = await parts.sealer();
  const now = parts.clock.now();
  const prove = async (tx: Tx): Promise<OpenedBy | undefined> => {
    if (code !== undefined) {
      return (await takeTotpCode(tx, sealer, { userId: user.id, code, now })) ? 'code' : undefined;
    }
    return recoveryCode !== undefined && (await takeRecoveryCode(tx, user.id, recoveryCode))
      ? 'recovery_code'
      : undefined;
  };
  const opened = await parts.database.transaction(async (tx) => {
    const by = await prove(tx);
    if (by === undefined) throw new SignInError({ code: 'sign_in_refused' });
    return await finishSession(tx, { id: session.id, token, user, face: parts.face, client, by });
  });
  await fillBucket(parts.database, bucket.key);
  return opened;
}

/** Returns the passkey request. Without a half-open session, it is for any user. */
export async function requestSignInPasskey(
  parts: SignInParts,
  present: Present | undefined,
  origin: string,
  client: Client,
): Promise<object> {
  await takeTries(parts.database, [addressBucket(parts.face, client.address)]);
  const half = present?.session.state === 'half' ? present : undefined;
  const boundTo = half?.session.id ?? anybody;
  return await requestPasskey(parts.database, { userId: half?.user.id, boundTo, origin });
}

/** Throws SignInError `sign_in_refused`, `too_many_tries`. */
export async function givePasskey(
  parts: SignInParts,
  present: Present | undefined,
  { response, origin }: { readonly response: unknown; readonly origin: string },
  client: Client,
): Promise<Opened> {
  const { database, face } = parts;
  const address = addressBucket(face, client.address);
  await takeTries(database, [address]);
  const half = present?.session.state === 'half' ? present : undefined;
  const opened = await database.transaction(async (tx) => {
    const boundTo = half?.session.id ?? anybody;
    const userId = await takePasskey(tx, { response, boundTo, origin });
    const user = userId === undefined ? undefined : await findUser(tx, userId);
    const isHere = user !== undefined && (user.merchant_id === null) === (face === 'console');
    if (!isHere || user.suspended_at !== null || (half !== undefined && half.user.id !== user.id)) {
      throw new SignInError({ code: 'sign_in_refused' });
    }
    if (half === undefined) {
      return await beginSession(tx, { user, face, client, next: 'done', by: 'passkey' });
    }
    const { session, token } = half;
    return await finishSession(tx, { id: session.id, token, user, face, client, by: 'passkey' });
  });
  await giveTryBack(database, address);
  return opened;
}

/** Binds the challenge to the session. */
function boundTo({ session }: Present): string {
  return `step_up ${session.id}`;
}

export async function requestStepUp(parts: SignInParts, present: Present, origin: string): Promise<object> {
  return await requestPasskey(parts.database, { userId: present.user.id, boundTo: boundTo(present), origin });
}

/**
 * Confirms a session by password or passkey and returns its new token. Throws SignInError
 * `sign_in_refused`, `too_many_tries`, `signed_out`.
 */
export async function stepUp(
  parts: SignInParts,
  present: Present,
  given: {
    readonly password?: string | undefined;
    readonly passkey?: unknown;
    readonly origin: string;
  },
  client: Client,
): Promise<string> {
  const { database, face } = parts;
  const { session, user, token } = present;
  const address = addressBucket(face, client.address);
  // The session has its own bucket, so that guesses elsewhere do not exhaust it.
  const account = accountBucket(face, user.email, `step_up ${session.id}`);
  await takeTries(database, [address, account]);
  if (given.passkey === undefined) {
    const sharer = shareOfUser(face, user.id);
    const isRight = await verifyPassword(given.password ?? '', user.password, sharer).catch(
      async (error: unknown) => {
        await giveTriesBack(database, [address, account]);
        throw error;
      },
    );
    if (!isRight) throw new SignInError({ code: 'sign_in_refused' });
  }
  const renewed = await database.transaction(async (tx) => {
    if (given.passkey !== undefined) {
      const owner = await takePasskey(tx, {
        response: given.passkey,
        boundTo: boundTo(present),
        origin: given.origin,
      });
      if (owner !== user.id) throw new SignInError({ code: 'sign_in_refused' });
    }
    return await renewSession(tx, { id: session.id, token });
  });
  await forgiveTries(database, { address, account });
  return renewed;
}
