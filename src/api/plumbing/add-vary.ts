/** Adds a request header that an answer depends on to `Vary`, for caches. */
import type { FastifyReply } from 'fastify';

export function addVary(reply: FastifyReply, name: string): void {
  const named = reply.getHeader('vary');
  reply.header('vary', named === undefined ? name : `${String(named)}, ${name}`);
}
