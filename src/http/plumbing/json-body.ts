// The body of a route as JSON, whatever its sender calls it: clients that forget the content type are common, and a body
// that is a JSON object can hardly be meant as something else.
import type { FastifyRequest } from 'fastify';
import { parseJson } from './parse-json.ts';

/** `onRequest` of a route with a JSON body: Fastify then neither judges the declared content type nor refuses it. */
export async function acceptAnyContentType(request: FastifyRequest): Promise<void> {
  request.raw.headers['content-type'] = undefined;
}

/** The body as it came; empty where there is none. */
export function readBodyText(request: FastifyRequest): string {
  return request.body instanceof Uint8Array ? Buffer.from(request.body).toString('utf8') : '';
}

/** The JSON value of the body. Throws GatewayError `invalid` as `parseJson` does. */
export function readJsonBody(request: FastifyRequest): unknown {
  return parseJson(request.body instanceof Uint8Array ? request.body : undefined);
}
