/**
 * Adds an ETag to the answers of catalogs, which seldom change and are requested often. A caller
 * that sends the current tag gets 304 without a body. A caller may keep such an answer but must
 * revalidate it before each use, because it has prices.
 */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressAnswer } from './compress-answer.ts';

/** A whole catalog has the same bytes until it changes, so its tag is computed once. */
const known = new WeakMap<Buffer, string>();

/** The options of a catalog's route. */
export const tagged = { onSend: [tagAnswer, compressAnswer] };

async function tagAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200) return payload;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  const tag = tagOf(payload);
  reply.header('etag', tag).header('cache-control', 'private, no-cache');
  if (!isNamed(request.headers['if-none-match'], tag)) return payload;
  reply.code(304).removeHeader('content-type');
  // Fastify would answer HEAD with a length of 0. For a stream it states none.
  return request.method === 'HEAD' ? Readable.from([]) : null;
}

/** Whether a route has the options of `tagged`. */
export function isTagged({ onSend }: { readonly onSend?: unknown }): boolean {
  return [onSend].flat().includes(tagAnswer);
}

/** Weak, because the answer has the same meaning with gzip and without. */
function tagOf(payload: Buffer | string): string {
  if (typeof payload === 'string') return `W/"${hash('sha256', payload, 'base64url')}"`;
  let tag = known.get(payload);
  if (tag === undefined) {
    tag = `W/"${hash('sha256', payload, 'base64url')}"`;
    known.set(payload, tag);
  }
  return tag;
}

/** `*` matches any answer. */
function isNamed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = tag.slice(2);
  const tags = header.split(',').map((one) => one.trim());
  return tags.some((one) => one === '*' || one === opaque || one === tag);
}
