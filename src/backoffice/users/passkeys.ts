/**
 * Registers and verifies passkeys (WebAuthn). A passkey replaces both factors, because the device
 * verifies the user.
 *
 * Guarantees: a challenge works once, for its user, at this application's origin, and with user
 * verification; a counter that does not increase is refused.
 */
import { createHash, randomBytes } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Sql, Tx } from '../../db/database.ts';
import {
  findPasskey,
  insertChallenge,
  insertPasskey,
  listPasskeys,
  type PasskeyRow,
  takeChallenge,
  updatePasskeyUsed,
} from './second-factor-store.ts';
import { SignInError } from './sign-in-error.ts';
import type { UserRow } from './user-store.ts';

const CHALLENGE_BYTES = 32;
const PASSKEYS_MAX = 10;

/** Loads the library on first use, because it takes 30 MB and about 300 ms. */
function webauthn(): Promise<typeof import('@simplewebauthn/server')> {
  return import('@simplewebauthn/server');
}

/** The binding of a challenge before the user is known. */
export const anybody = 'sign_in';

async function newChallenge(sql: Sql, boundTo: string): Promise<Uint8Array<ArrayBuffer>> {
  const challenge = Uint8Array.from(randomBytes(CHALLENGE_BYTES));
  await insertChallenge(sql, hashOf(Buffer.from(challenge).toString('base64url')), boundTo);
  return challenge;
}

function hashOf(challenge: string): Buffer {
  return createHash('sha256').update(challenge).digest();
}

/** `origin` is the browser's origin, such as `https://console.shop.example`. */
type Registering = { readonly user: UserRow; readonly boundTo: string; readonly origin: string };

export async function beginPasskey(sql: Sql, { user, boundTo, origin }: Registering): Promise<object> {
  const known = await listPasskeys(sql, user.id);
  if (known.length >= PASSKEYS_MAX) throw new SignInError({ code: 'too_many_passkeys', max: PASSKEYS_MAX });
  const { generateRegistrationOptions } = await webauthn();
  return await generateRegistrationOptions({
    rpName: 'Oja',
    rpID: new URL(origin).hostname,
    userID: Uint8Array.from(Buffer.from(user.id)),
    userName: user.email,
    userDisplayName: user.name,
    challenge: await newChallenge(sql, boundTo),
    attestationType: 'none',
    excludeCredentials: known.map(descriptorOf),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
}

function descriptorOf({ id, transports }: PasskeyRow): { id: string; transports: string[] } {
  return { id, transports: [...transports] };
}

/** Registers a passkey. Returns false for an invalid response. */
export async function registerPasskey(
  tx: Tx,
  { user, boundTo, origin }: Registering,
  given: { readonly response: unknown; readonly label: string },
): Promise<boolean> {
  const response = given.response as RegistrationResponseJSON;
  const { verifyRegistrationResponse } = await webauthn();
  const { registrationInfo: found } = await verifyRegistrationResponse({
    response,
    expectedChallenge: (challenge) => takeChallenge(tx, hashOf(challenge), boundTo),
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
  }).catch(() => ({ registrationInfo: undefined }));
  if (found === undefined) return false;
  const { id, publicKey, counter } = found.credential;
  const named: unknown = response.response?.transports;
  const transports = Array.isArray(named)
    ? named.filter((one) => typeof one === 'string' && /^[a-z-]{1,20}$/.test(one)).slice(0, 8)
    : [];
  return await insertPasskey(tx, {
    id,
    counter,
    transports,
    label: given.label,
    user_id: user.id,
    public_key: Buffer.from(publicKey),
  });
}

/** Requests any passkey of a known user, or any that the device has for this site. */
export async function requestPasskey(
  sql: Sql,
  request: { readonly userId?: string | undefined; readonly boundTo: string; readonly origin: string },
): Promise<object> {
  const { userId, boundTo, origin } = request;
  const { generateAuthenticationOptions } = await webauthn();
  return await generateAuthenticationOptions({
    rpID: new URL(origin).hostname,
    challenge: await newChallenge(sql, boundTo),
    userVerification: 'required',
    ...(userId !== undefined && { allowCredentials: (await listPasskeys(sql, userId)).map(descriptorOf) }),
  });
}

/** Verifies a response. Returns the id of the user, or undefined if it is invalid. */
export async function takePasskey(
  tx: Tx,
  given: { readonly response: unknown; readonly boundTo: string; readonly origin: string },
): Promise<string | undefined> {
  const { boundTo, origin } = given;
  const response = given.response as AuthenticationResponseJSON;
  const id: unknown = response?.id;
  const passkey = typeof id === 'string' ? await findPasskey(tx, id) : undefined;
  if (passkey === undefined) return undefined;
  const { verifyAuthenticationResponse } = await webauthn();
  const verified = await verifyAuthenticationResponse({
    response,
    expectedChallenge: (challenge) => takeChallenge(tx, hashOf(challenge), boundTo),
    expectedOrigin: origin,
    expectedRPID: new URL(origin).hostname,
    requireUserVerification: true,
    credential: {
      id: passkey.id,
      publicKey: Uint8Array.from(passkey.public_key),
      counter: Number(passkey.counter),
      transports: [...passkey.transports],
    },
  }).catch(() => undefined);
  if (verified?.verified !== true) return undefined;
  const isNew = await updatePasskeyUsed(tx, passkey.id, verified.authenticationInfo.newCounter);
  return isNew ? passkey.user_id : undefined;
}
