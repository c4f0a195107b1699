/**
 * Cursors of feeds: a signed position with the time of signing.
 *
 * Guarantees: a cursor opens only for the feed that it was made for, and cannot be forged.
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
   * Returns the position; `forged` for a cursor that was not made for this feed, and `expired` for
   * one that is older than the retention, after which events may be missing.
   */
  read(owner: FeedOwner, text: string, now: Date): bigint | 'forged' | 'expired';
};

/** Creates the cursors of all feeds. All processes must have the same `secret`. */
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
