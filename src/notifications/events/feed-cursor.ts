/**
 * Cursors of feeds: a place, signed, so that nobody can make one up, or use one of another
 * merchant.
 *
 * Guarantees: a cursor opens for the owner alone that it was made for, and tells when it was made.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { FeedOwner } from './event.ts';
import { KEPT_DAYS } from './event-store.ts';

const KEPT_MS = KEPT_DAYS * 86_400_000;
const BODY_BYTES = 14;
const PROOF_BYTES = 12;

export type FeedCursors = {
  make(owner: FeedOwner, position: bigint, now: Date): string;
  /**
   * `forged`: none of this feed. `expired`: what came after it is not kept any more, so some may be
   * missing.
   */
  read(owner: FeedOwner, text: string, now: Date): bigint | 'forged' | 'expired';
};

/** `secret` is the same in all processes. */
export function createFeedCursors(secret: KeyObject): FeedCursors {
  const prove = ({ merchantId, environment }: FeedOwner, body: Buffer): Buffer =>
    createHmac('sha256', secret)
      .update(`feed-cursor/${merchantId}/${environment}/`)
      .update(body)
      .digest()
      .subarray(0, PROOF_BYTES);
  return {
    make(owner, position, now) {
      const body = Buffer.alloc(BODY_BYTES);
      body.writeBigUInt64BE(position);
      body.writeUIntBE(Math.floor(now.getTime() / 1_000), 8, 6);
      return Buffer.concat([body, prove(owner, body)]).toString('base64url');
    },
    read(owner, text, now) {
      const bytes = Buffer.from(text, 'base64url');
      if (bytes.length !== BODY_BYTES + PROOF_BYTES || bytes.toString('base64url') !== text) return 'forged';
      const body = bytes.subarray(0, BODY_BYTES);
      if (!timingSafeEqual(bytes.subarray(BODY_BYTES), prove(owner, body))) return 'forged';
      const madeAtMs = 1_000 * body.readUIntBE(8, 6);
      return now.getTime() - madeAtMs > KEPT_MS ? 'expired' : body.readBigUInt64BE();
    },
  };
}
