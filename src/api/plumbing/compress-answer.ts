/**
 * Compresses large answers with gzip for clients that accept it. Only routes with this option do
 * this: lists, catalogs, statements and documents. The answers to purchases are small and are never
 * compressed.
 */
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { detachBuffer } from '../../core/detach-buffer.ts';
import { addVary } from './add-vary.ts';

/** About one packet. A smaller answer does not arrive sooner when it is compressed. */
const BYTES_MIN = 1_024;

/** Nearly as small as the highest level, and much faster. */
const options = { level: 5 };

const compressible = /^(?:text\/|application\/(?:json|javascript)|image\/svg)/;

const toGzip = promisify<Buffer | string, typeof options, Buffer>(gzip);

/** A whole catalog has the same bytes until it changes, so it is compressed once. */
const known = new WeakMap<Buffer, Promise<Buffer>>();

/** An `onSend` hook. */
export async function compressAnswer(
  request: FastifyRequest,
  reply: FastifyReply,
  payload: unknown,
): Promise<unknown> {
  addVary(reply, 'Accept-Encoding');
  const type = String(reply.getHeader('content-type') ?? '');
  if (reply.statusCode !== 200 || !compressible.test(type)) return payload;
  if (!takesGzip(request.headers['accept-encoding'])) return payload;
  if (payload instanceof Readable) {
    reply.removeHeader('content-length').header('content-encoding', 'gzip');
    // If one stream breaks off, both end, and the code that sends the answer notices.
    return pipeline(payload, createGzip(options), () => undefined);
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  if (Buffer.byteLength(payload) < BYTES_MIN) return payload;
  const compressed = await compress(payload);
  reply.header('content-encoding', 'gzip');
  return compressed;
}

/** The options of a route with large answers. */
export const compressed = { onSend: compressAnswer };

function compress(payload: Buffer | string): Promise<Buffer> {
  if (typeof payload === 'string') return toGzip(payload, options);
  let compressed = known.get(payload);
  if (compressed === undefined) {
    compressed = toGzip(payload, options).then(detachBuffer);
    known.set(payload, compressed);
  }
  return compressed;
}

/**
 * Whether `Accept-Encoding` takes gzip and does not prefer the plain answer (RFC 9110, section
 * 12.5.3).
 */
export function takesGzip(header: string | string[] | undefined): boolean {
  if (typeof header !== 'string') return false;
  const weights = new Map<string, number>();
  for (const part of header.toLowerCase().split(',')) {
    const [coding = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='));
    weights.set(coding, weight === undefined ? 1 : Number(weight.slice(2)));
  }
  const wanted = weights.get('gzip') ?? weights.get('x-gzip') ?? weights.get('*') ?? 0;
  return wanted > 0 && wanted >= (weights.get('identity') ?? 0);
}
