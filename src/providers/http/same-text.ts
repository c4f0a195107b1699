/** Compares a signature that was sent with the right one, in constant time. */
import { timingSafeEqual } from 'node:crypto';

export function isSameText(given: string, expected: string): boolean {
  const [one, other] = [Buffer.from(given), Buffer.from(expected)];
  return one.length === other.length && timingSafeEqual(one, other);
}
