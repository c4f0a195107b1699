/**
 * Signing in: the second factor of a half-open session, and a passkey alone, which is both factors.
 *
 * Guarantee: whatever proves it is used up in the transaction that opens the session.
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
import { anybody, askPasskey, takePasskey } from './passkeys.ts';
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

/** A half-open session, else SignInError `signed_out`. */
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

/** What the device is to sign. Without a half-open session it names nobody. */
export async function askForPasskey(
  parts: SignInParts,
  present: Present | undefined,
  origin: string,
  client: Client,
): Promise<object> {
  await takeTries(parts.database, [addressBucket(parts.face, client.address)]);
  const half = present?.session.state === 'half' ? present : undefined;
  const boundTo = half?.session.id ?? anybody;
  return await askPasskey(parts.database, { userId: half?.user.id, boundTo, origin });
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

/** The challenge of a passkey is bound to the session. */
function boundTo({ session }: Present): string {
  return `step_up ${session.id}`;
}

export async function askStepUp(parts: SignInParts, present: Present, origin: string): Promise<object> {
  return await askPasskey(parts.database, { userId: present.user.id, boundTo: boundTo(present), origin });
}

/** The new token. Throws SignInError `sign_in_refused`, `too_many_tries`, `signed_out`. */
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
  // A bucket of the session's own: whoever guesses at the account elsewhere does not empty it.
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
