/** The form of a request id that a caller may choose. The id is logged and returned unchanged. */
import type { IncomingHttpHeaders } from 'node:http';

const REQUEST_ID = /^[A-Za-z0-9][\w.:-]{0,99}$/;

/** Returns the caller's request id, or undefined if it sent none or a malformed one. */
export function sentRequestId(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : undefined;
}
