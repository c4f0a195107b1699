/**
 * Links to receipts: a signed name of a purchase with the time at which the link expires. No row is
 * stored for a link. Pure.
 *
 * Guarantees: a link cannot be forged or made to last longer, and leads to one purchase.
 */
import { createHmac, type KeyObject, timingSafeEqual } from 'node:crypto';
import type { Environment } from '../../core/environment.ts';

export type ReceiptLink = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
  /** The revision of the receipt when the link was made. A later revision revokes it. */
  readonly revision: number;
  readonly expiresAt: Date;
};

export const linkDaysDefault = 30;
export const linkDaysMax = 365;

const BODY_BYTES = 27;
const PROOF_BYTES = 12;

/** Returns the part of the address that identifies the receipt: 52 characters. */
export function signReceiptLink(secret: KeyObject, link: ReceiptLink): string {
  const body = Buffer.alloc(BODY_BYTES);
  body.writeUInt32BE(link.merchantId, 0);
  body.writeUInt8(link.environment === 'live' ? 1 : 0, 4);
  body.write(link.purchaseId.replaceAll('-', ''), 5, 'hex');
  body.writeUInt16BE(link.revision, 21);
  body.writeUInt32BE(Math.floor(link.expiresAt.getTime() / 1_000), 23);
  return Buffer.concat([body, proofOf(secret, body)]).toString('base64url');
}

/** Undefined for a text that was not signed with this secret. The link may have expired. */
export function readReceiptLink(secret: KeyObject, text: string): ReceiptLink | undefined {
  const bytes = Buffer.from(text, 'base64url');
  if (bytes.length !== BODY_BYTES + PROOF_BYTES || bytes.toString('base64url') !== text) return undefined;
  const body = bytes.subarray(0, BODY_BYTES);
  if (!timingSafeEqual(bytes.subarray(BODY_BYTES), proofOf(secret, body))) return undefined;
  const id = body.toString('hex', 5, 21);
  return {
    merchantId: body.readUInt32BE(0),
    environment: body.readUInt8(4) === 1 ? 'live' : 'test',
    purchaseId: id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'),
    revision: body.readUInt16BE(21),
    expiresAt: new Date(1_000 * body.readUInt32BE(23)),
  };
}

/** Returns the address of a receipt at the portal. */
export function receiptAddress(portalUrl: string, signed: string): string {
  return `${portalUrl.replace(/\/$/, '')}/r/${signed}`;
}

function proofOf(secret: KeyObject, body: Buffer): Buffer {
  return createHmac('sha256', secret).update('receipt/').update(body).digest().subarray(0, PROOF_BYTES);
}
