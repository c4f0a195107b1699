/** The caller of a request, who has gone when the connection closes. */
import type { FastifyRequest } from 'fastify';
import { onHangUp } from '../../edge/hang-up.ts';
import type { Caller } from '../../kernel/caller.ts';
import { outerOf } from './inner-requests.ts';

export function callerOf(request: FastifyRequest): Caller {
  const { socket } = (outerOf(request) ?? request).raw;
  return { onGone: (callback) => onHangUp(socket, callback) };
}
