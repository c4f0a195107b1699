/**
 * Requests that the gateway makes of itself for one that it serves: counted once against the rate
 * limit, with the one that came from outside.
 */
import { randomUUID } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

const HEADER = 'x-oja-inner';
/** Of this process alone: nobody outside can know it. */
const mark = randomUUID();

export const innerHeaders = { [HEADER]: mark } as const;

export function isInner({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers[HEADER] === mark;
}
