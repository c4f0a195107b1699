/**
 * Time-based one-time codes (RFC 6238): six digits, 30 seconds, SHA-1, as all authenticator apps
 * support. The seed is stored sealed.
 *
 * Guarantee: a code works once in all processes, and no earlier code works after it.
 */
import { Secret, TOTP } from 'otpauth';
import { invariant } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Tx } from '../../db/database.ts';
import { confirmTotp, findTotp, insertTotp, type TotpRow, takeStep } from './second-factor-store.ts';
import type { UserRow } from './user-store.ts';

const PERIOD_S = 30;
const SEED_BYTES = 20;
/** Accepted steps before and after the current one, for clock differences and slow typing. */
const WINDOW = 1;

function totpOf(seed: string): TOTP {
  return new TOTP({
    issuer: 'Oja',
    algorithm: 'SHA1',
    digits: 6,
    period: PERIOD_S,
    secret: Secret.fromBase32(seed),
  });
}

function placeOf(id: string): string {
  return `user_totps/${id}/secret`;
}

/** Creates a seed for the app. It is not valid until a code confirms it. */
export async function beginTotp(
  tx: Tx,
  sealer: Sealer,
  user: Pick<UserRow, 'id' | 'email'>,
): Promise<{ readonly secret: string; readonly uri: string }> {
  const seed = new Secret({ size: SEED_BYTES }).base32;
  const id = newId();
  await insertTotp(tx, { id, userId: user.id, secret: sealer.seal(placeOf(id), seed) });
  const totp = totpOf(seed);
  totp.label = user.email;
  return { secret: seed, uri: totp.toString() };
}

/** Returns the time step of a code, near now. */
function stepOf(sealer: Sealer, { id, secret }: TotpRow, code: string, now: Date): number | undefined {
  const seed = sealer.open(placeOf(id), secret);
  invariant(seed !== undefined, 'the gateway has the key of the seed');
  const timestamp = now.getTime();
  const delta = totpOf(seed).validate({ token: code, timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / 1_000 / PERIOD_S) + delta;
}

type Given = { readonly userId: string; readonly code: string; readonly now: Date };

/** Confirms an authenticator. Returns false if the code is wrong or none was started. */
export async function confirmTotpCode(
  tx: Tx,
  sealer: Sealer,
  { userId, code, now }: Given,
): Promise<boolean> {
  const begun = await findTotp(tx, userId, false);
  const step = begun && stepOf(sealer, begun, code, now);
  if (begun === undefined || step === undefined) return false;
  return await confirmTotp(tx, userId, begun.id, step);
}

/** Uses up a code. Returns false if it is wrong or was used. */
export async function takeTotpCode(tx: Tx, sealer: Sealer, { userId, code, now }: Given): Promise<boolean> {
  const totp = await findTotp(tx, userId, true);
  const step = totp && stepOf(sealer, totp, code, now);
  if (totp === undefined || step === undefined) return false;
  return await takeStep(tx, totp.id, step);
}
