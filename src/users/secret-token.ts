/**
 * Tokens of sessions and links: 256 random bits, of which the plain SHA-256 is stored, so that
 * whoever reads the database can use none.
 */
import { createHash, randomBytes } from 'node:crypto';

const TOKEN_BYTES = 32;
/** As `newSecretToken` makes them. */
const form = /^[A-Za-z0-9_-]{43}$/;

export function newSecretToken(): string {
  return randomBytes(TOKEN_BYTES).toString('base64url');
}

export function isSecretToken(text: string): boolean {
  return form.test(text);
}

export function hashOfToken(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
