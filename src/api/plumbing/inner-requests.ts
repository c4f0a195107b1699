/**
 * Requests that the gateway sends to itself to serve another one. Together they count once against
 * the rate limit, and they are cancelled with the outer request.
 */

import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Caller } from '../../core/caller.ts';
import { onHangUp } from '../edge/hang-up.ts';

const HEADER = 'x-oja-inner';
/** Random, so that no caller can guess it. */
const mark = randomUUID();

const outer = new Map<string, FastifyRequest>();
let count = 0;

/** Runs `ask` with headers that mark its requests as made for `request`. */
export async function askWithin<T>(
  request: FastifyRequest,
  ask: (headers: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  count += 1;
  const id = `${mark} ${count}`;
  outer.set(id, request);
  try {
    return await ask({ [HEADER]: id });
  } finally {
    outer.delete(id);
  }
}

export function isInner(request: Pick<FastifyRequest, 'headers'>): boolean {
  return outerOf(request) !== undefined;
}

/** The outer request that an inner one is made for. */
export function outerOf({ headers }: Pick<FastifyRequest, 'headers'>): FastifyRequest | undefined {
  const id = headers[HEADER];
  return typeof id === 'string' ? outer.get(id) : undefined;
}

export function callerOf(request: FastifyRequest): Caller {
  const { socket } = (outerOf(request) ?? request).raw;
  return { onGone: (callback) => onHangUp(socket, callback) };
}
