/**
 * Manages the second factors and recovery codes of the signed-in user.
 *
 * Guarantees: an open session needs a confirmed password; a half-open session can set up only the
 * first factor, so a stolen password cannot add another; console users always have a second factor;
 * a change ends all other sessions of the user.
 */
import type { Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { finishSession, nextOf, type Present } from './open-session.ts';
import { beginPasskey, registerPasskey } from './passkeys.ts';
import { deletePasskey, deleteTotp, readSecondFactors, replaceRecoveryCodes } from './second-factor-store.ts';
import { newRecoveryCodes } from './secret-token.ts';
import { endSessions } from './session-store.ts';
import { SignInError } from './sign-in-error.ts';
import { actorOfUser, type SignInParts } from './sign-in-parts.ts';
import { type Client, codeBucket, takeTries } from './throttle.ts';
import { fillBucket } from './throttle-store.ts';
import { beginTotp, confirmTotpCode } from './totp.ts';
import { lockUser } from './user-store.ts';

export type Enrolled = {
  /** The new token of a half-open session that was opened. */
  readonly token?: string;
  /** The recovery codes, which are shown once with the first factor. */
  readonly recoveryCodes?: readonly string[];
};

/** Throws SignInError `second_factor_needed`, `step_up_needed`. */
async function requireMayEnrol({ database }: SignInParts, { session, user }: Present): Promise<void> {
  if (session.state === 'open') return requireSteppedUp({ session });
  const next = nextOf(user, await readSecondFactors(database, user.id));
  if (next !== 'enrol') throw new SignInError({ code: 'second_factor_needed' });
}

function requireSteppedUp({ session }: Pick<Present, 'session'>): void {
  if (session.state !== 'open') throw new SignInError({ code: 'second_factor_needed' });
  if (session.stepped_up_until === null) throw new SignInError({ code: 'step_up_needed' });
}

/** Binds a challenge to this session. */
function boundTo({ session }: Present): string {
  return `passkey ${session.id}`;
}

export async function beginOwnTotp(
  parts: SignInParts,
  present: Present,
): Promise<{ readonly secret: string; readonly uri: string }> {
  await requireMayEnrol(parts, present);
  const sealer = await parts.sealer();
  return await parts.database.transaction((tx) => beginTotp(tx, sealer, present.user));
}

/** Confirms an authenticator. Throws SignInError `sign_in_refused` for a wrong code. */
export async function confirmOwnTotp(
  parts: SignInParts,
  present: Present,
  code: string,
  client: Client,
): Promise<Enrolled> {
  await requireMayEnrol(parts, present);
  const bucket = codeBucket(present.user.id);
  await takeTries(parts.database, [bucket]);
  const sealer = await parts.sealer();
  const given = { userId: present.user.id, code, now: parts.clock.now() };
  const enrolled = await enrol(parts, present, client, 'totp', (tx) => confirmTotpCode(tx, sealer, given));
  await fillBucket(parts.database, bucket.key);
  return enrolled;
}

export async function beginOwnPasskey(parts: SignInParts, present: Present, origin: string): Promise<object> {
  await requireMayEnrol(parts, present);
  return await beginPasskey(parts.database, { user: present.user, boundTo: boundTo(present), origin });
}

/** Registers a passkey. Throws SignInError `sign_in_refused` for an invalid response. */
export async function confirmOwnPasskey(
  parts: SignInParts,
  present: Present,
  given: { readonly response: unknown; readonly label: string; readonly origin: string },
  client: Client,
): Promise<Enrolled> {
  await requireMayEnrol(parts, present);
  const registering = { user: present.user, boundTo: boundTo(present), origin: given.origin };
  return await enrol(parts, present, client, 'passkey', (tx) => registerPasskey(tx, registering, given));
}

async function enrol(
  parts: SignInParts,
  present: Present,
  client: Client,
  kind: 'totp' | 'passkey',
  prove: (tx: Tx) => Promise<boolean>,
): Promise<Enrolled> {
  const { session, user, token } = present;
  const { face } = parts;
  return await parts.database.transaction(async (tx) => {
    // Concurrent enrolments are serialized, so the second one finds the first factor.
    await lockUser(tx, user.id);
    const before = await readSecondFactors(tx, user.id);
    const isFirst = !before.totp && before.passkeys === 0;
    if (session.state === 'half' && !isFirst) throw new SignInError({ code: 'second_factor_needed' });
    if (!(await prove(tx))) throw new SignInError({ code: 'sign_in_refused' });
    await endSessions(tx, { userId: user.id, except: session.id }, 'second factor added');
    await recordOperation(tx, {
      actor: actorOfUser(user, face, session.id),
      action: 'user.add_second_factor',
      subject: `user:${user.id}`,
      after: { kind },
    });
    const recoveryCodes = isFirst ? await newRecoveryCodes(tx, user.id) : undefined;
    if (session.state === 'open') return { ...(recoveryCodes && { recoveryCodes }) };
    const half = { id: session.id, token, user, face, client, by: 'enrolment' as const };
    const opened = await finishSession(tx, half);
    return { token: opened.token, ...(recoveryCodes && { recoveryCodes }) };
  });
}

/**
 * Removes a passkey or, without `passkey`, the authenticator. Throws SignInError
 * `second_factor_last`, `no_passkey`.
 */
export async function removeOwnFactor(
  parts: SignInParts,
  present: Present,
  passkey: string | undefined,
): Promise<void> {
  requireSteppedUp(present);
  const { user, session } = present;
  await parts.database.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const removed =
      passkey === undefined ? await deleteTotp(tx, user.id) : await deletePasskey(tx, user.id, passkey);
    if (!removed) throw new SignInError({ code: 'no_passkey' });
    const { totp, passkeys } = await readSecondFactors(tx, user.id);
    const isLast = !totp && passkeys === 0;
    if (isLast && user.merchant_id === null) throw new SignInError({ code: 'second_factor_last' });
    // Recovery codes replace a second factor, and none is left.
    if (isLast) await replaceRecoveryCodes(tx, user.id, []);
    await endSessions(tx, { userId: user.id, except: session.id }, 'second factor removed');
    await recordOperation(tx, {
      actor: actorOfUser(user, parts.face, session.id),
      action: 'user.remove_second_factor',
      subject: `user:${user.id}`,
      before: { kind: passkey === undefined ? 'totp' : 'passkey' },
    });
  });
}

/** Replaces the recovery codes of a user with a second factor. */
export async function renewRecoveryCodes(parts: SignInParts, present: Present): Promise<readonly string[]> {
  requireSteppedUp(present);
  const { user, session } = present;
  return await parts.database.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const { totp, passkeys } = await readSecondFactors(tx, user.id);
    if (!totp && passkeys === 0) throw new SignInError({ code: 'second_factor_needed' });
    await recordOperation(tx, {
      actor: actorOfUser(user, parts.face, session.id),
      action: 'user.renew_recovery_codes',
      subject: `user:${user.id}`,
    });
    return await newRecoveryCodes(tx, user.id);
  });
}
