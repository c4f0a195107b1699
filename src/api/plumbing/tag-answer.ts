/**
 * Catalogs change seldom and are asked for all the time. So their answers carry a tag of what they
 * say, and a caller that names the tag again is told 304 without a body, for as long as it is true.
 * A caller may keep such an answer, but must ask before it is used again: prices are in it.
 */
import { hash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { compressAnswer } from './compress-answer.ts';

/** A whole catalog is the same bytes until it changes, and so is read once. */
const known = new WeakMap<Buffer, string>();

/** What a catalog's route adds to its options. */
export const tagged = { onSend: [tagAnswer, compressAnswer] };

async function tagAnswer(request: FastifyRequest, reply: FastifyReply, payload: unknown): Promise<unknown> {
  if (reply.statusCode !== 200) return payload;
  if (typeof payload !== 'string' && !Buffer.isBuffer(payload)) return payload;
  const tag = tagOf(payload);
  reply.header('etag', tag).header('cache-control', 'private, no-cache');
  if (!isNamed(request.headers['if-none-match'], tag)) return payload;
  reply.code(304).removeHeader('content-type');
  // To HEAD, Fastify would say of no body that its length is 0; of a stream it says nothing.
  return request.method === 'HEAD' ? Readable.from([]) : null;
}

/** Whether a route has taken `tagged` into its options. */
export function isTagged({ onSend }: { readonly onSend?: unknown }): boolean {
  return [onSend].flat().includes(tagAnswer);
}

/** Weak, for the answer is the same in substance whether it is sent as gzip or not. */
function tagOf(payload: Buffer | string): string {
  if (typeof payload === 'string') return `W/"${hash('sha256', payload, 'base64url')}"`;
  let tag = known.get(payload);
  if (tag === undefined) {
    tag = `W/"${hash('sha256', payload, 'base64url')}"`;
    known.set(payload, tag);
  }
  return tag;
}

/** `*` is any answer there is. */
function isNamed(header: string | undefined, tag: string): boolean {
  if (header === undefined) return false;
  const opaque = tag.slice(2);
  const tags = header.split(',').map((one) => one.trim());
  return tags.some((one) => one === '*' || one === opaque || one === tag);
}
