/**
 * Keys and secrets of API credentials. A secret is 256 random bits, so a keyed hash of it is as
 * safe to store as a slow hash, and is checked in microseconds. Without the gateway's pepper the
 * stored hash is useless.
 */
import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import type { Environment } from '../core/environment.ts';
import { text } from '../core/operation-fields.ts';

const KEY_BYTES = 18;
const SECRET_BYTES = 32;

/** The key id in operations. `key` is the idempotency key of operations. */
export const credentialField = text('the key of a credential, such as oja_live_2b0vFVrqYH0wQn8mJ5cUeXtA');

/** `oja_test_…` or `oja_live_…`, then 24 characters of base64url. */
export function newKeyId(environment: Environment): string {
  return `oja_${environment}_${randomBytes(KEY_BYTES).toString('base64url')}`;
}

/** Returns whether the text has the form of a key id. Other texts are not looked up. */
export function isKeyId(text: string): boolean {
  return /^oja_(?:test|live)_[A-Za-z0-9_-]{24}$/.test(text);
}

/** 43 characters of base64url. */
export function newSecret(): string {
  return randomBytes(SECRET_BYTES).toString('base64url');
}

/** HMAC-SHA-256 of the secret under the pepper: 32 bytes. */
export function hashSecret(pepper: KeyObject, secret: string): Buffer {
  return createHmac('sha256', pepper).update(secret).digest();
}
