/**
 * Reads Flutterwave's webhooks of bills. The header `verif-hash` has the secret hash itself, which
 * does not cover the body; `flutterwave-signature` is an HMAC of it. A webhook is only a hint to
 * query the order. Pure.
 */
import { createHmac } from 'node:crypto';
import { isBody, isSameText, word } from '../http/reply-fields.ts';
import type { Headers } from '../provider-definition.ts';

/** The form of our references. */
const REFERENCE = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Returns the order that an authentic webhook names. Undefined for any other request. */
export function parseFlutterwaveCallback(
  body: unknown,
  headers: Headers,
  raw: string,
  secretHash: string,
): { readonly reference: string } | undefined {
  if (!isSigned(headers, raw, secretHash) || !isBody(body)) return undefined;
  if (body.event !== 'singlebillpayment.status' || !isBody(body.data)) return undefined;
  const { customer_reference, reference } = body.data;
  const named = [customer_reference, reference].map(word).find((one) => REFERENCE.test(one ?? ''));
  return named === undefined ? undefined : { reference: named };
}

function isSigned(headers: Headers, raw: string, secretHash: string): boolean {
  // With an empty hash anyone could sign.
  if (secretHash === '') return false;
  const { 'verif-hash': hash, 'flutterwave-signature': signature } = headers;
  if (typeof hash === 'string' && isSameText(hash, secretHash)) return true;
  const expected = createHmac('sha256', secretHash).update(raw).digest('base64');
  return typeof signature === 'string' && isSameText(signature, expected);
}
