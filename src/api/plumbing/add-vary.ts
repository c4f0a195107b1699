/** Names a request header that an answer depends on, for caches, beside those named before. */
import type { FastifyReply } from 'fastify';

export function addVary(reply: FastifyReply, name: string): void {
  const named = reply.getHeader('vary');
  reply.header('vary', named === undefined ? name : `${String(named)}, ${name}`);
}
