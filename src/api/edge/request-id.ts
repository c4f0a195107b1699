/** What a caller may call its request: it is logged and answered as it is. */
import type { IncomingHttpHeaders } from 'node:http';

const REQUEST_ID = /^[A-Za-z0-9][\w.:-]{0,99}$/;

/** The caller's own id of its request; undefined where it sends none that is well formed. */
export function sentRequestId(headers: IncomingHttpHeaders): string | undefined {
  const sent = headers['x-request-id'];
  return typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : undefined;
}
