/**
 * Personal access tokens: `oja_pat_`, an id of 8 characters, and a secret. A secret is 256 random
 * bits, so its plain SHA-256 is safe to store.
 */
import { createHash, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';

const PREFIX = 'oja_pat_';
const ID_LETTERS = 'abcdefghijkmnpqrstuvwxyz23456789';
const ID_LENGTH = 8;
const SECRET_BYTES = 32;

export type TokenParts = { readonly id: string; readonly secret: string };

export function mintToken(): TokenParts {
  const letters = Array.from({ length: ID_LENGTH }, () => ID_LETTERS[randomInt(ID_LETTERS.length)]);
  return { id: letters.join(''), secret: randomBytes(SECRET_BYTES).toString('base64url') };
}

/** Returns the token as its owner sends it. */
export function tokenText({ id, secret }: TokenParts): string {
  return `${PREFIX}${id}_${secret}`;
}

/** Parses a token. Returns undefined if it is malformed. */
export function parseToken(text: string): TokenParts | undefined {
  const [, id, secret] = /^oja_pat_([a-z0-9]{8})_([A-Za-z0-9_-]{43})$/.exec(text) ?? [];
  return id === undefined || secret === undefined ? undefined : { id, secret };
}

export function hashToken(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}

/** Compares in constant time. */
export function isSecretOf(secret: string, hash: Uint8Array): boolean {
  return timingSafeEqual(hashToken(secret), hash);
}
