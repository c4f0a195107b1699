/**
 * Checks the signature that several banks put on a notice: HMAC-SHA-512 of the raw bytes of the
 * body, as hex digits.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isRecord } from '../../core/json.ts';

/** Compared in constant time. False for an empty key, which would let anybody sign. */
export function isSigned(bytes: Uint8Array, given: unknown, key: string): boolean {
  if (typeof given !== 'string' || key === '' || !/^[0-9a-f]{128}$/i.test(given)) return false;
  const expected = createHmac('sha512', key).update(bytes).digest();
  return timingSafeEqual(Buffer.from(given, 'hex'), expected);
}

/** The JSON object in the bytes; undefined for anything else. */
export function readObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
