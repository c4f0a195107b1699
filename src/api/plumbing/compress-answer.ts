/**
 * Answers that can be large are sent as gzip to whoever takes it. Only the routes that say so have
 * this: lists, catalogs, statements and documents. What a purchase answers is small, and comes
 * here never.
 */
import { pipeline, Readable } from 'node:stream';
import { promisify } from 'node:util';
import { createGzip, gzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { detachBuffer } from '../../core/detach-buffer.ts';
import { addVary } from './add-vary.ts';

/** About one packet: a smaller answer does not arrive any sooner when it is compressed. */
const BYTES_MIN = 1_024;

/** Nearly as small as the highest level makes it, and much faster. */
const options = { level: 5 };

const compressible = /^(?:text\/|application\/(?:json|javascript)|image\/svg)/;

const toGzip = promisify<Buffer | string, typeof options, Buffer>(gzip);

/** A whole catalog is the same bytes until it changes, and so is compressed once. */
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
    // Whichever of the two breaks off takes the other along; who sends the answer notices.
    return pipeline(payload, createGzip(options), () => undefined);
  }
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  if (Buffer.byteLength(payload) < BYTES_MIN) return payload;
  const compressed = await compress(payload);
  reply.header('content-encoding', 'gzip');
  return compressed;
}

/** What a route that can answer at length adds to its options. */
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
 * Whether `Accept-Encoding` takes gzip, and does not prefer the answer as it is (RFC 9110, section
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
