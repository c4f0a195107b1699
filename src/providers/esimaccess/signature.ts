/** How a request to eSIM Access is signed. Source: its documentation, "Authentication". Pure. */
import { createHmac } from 'node:crypto';

export type Signed = {
  /** Milliseconds since the epoch, as text. */
  readonly timestamp: string;
  readonly requestId: string;
  readonly accessCode: string;
  /** The body as it is sent. */
  readonly body: string;
};

/** Hex of the HMAC-SHA256 over timestamp, request id, access code and body, one after the other. */
export function signRequest({ timestamp, requestId, accessCode, body }: Signed, secretKey: string): string {
  return createHmac('sha256', secretKey)
    .update(timestamp + requestId + accessCode + body)
    .digest('hex');
}
