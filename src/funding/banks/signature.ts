/** Checks the signature of a notice: HMAC-SHA-512 of the raw bytes of the body, in hex. */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { isRecord } from '../../core/json.ts';

/** Compares in constant time. False for an empty key, with which anyone could sign. */
export function isSigned(bytes: Uint8Array, given: unknown, key: string): boolean {
  if (typeof given !== 'string' || key === '' || !/^[0-9a-f]{128}$/i.test(given)) return false;
  const expected = createHmac('sha512', key).update(bytes).digest();
  return timingSafeEqual(Buffer.from(given, 'hex'), expected);
}

/** Parses a JSON object. Undefined for anything else. */
export function readObject(bytes: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return isRecord(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
