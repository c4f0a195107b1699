/**
 * Turns of bodies that carry a file: each is in memory until its call is answered, and more than
 * once while it is parsed. One gate for all faces of the process, with places for each.
 */
import type { FastifyReply } from 'fastify';
import { FairGate, type Sharer } from '../../core/fair-gate.ts';
import { limits } from '../../core/limits.ts';

export type UserAudience = 'console' | 'portal' | 'admin';

const gate = new FairGate<UserAudience>(limits.fileBodies);

/** Waits for a turn, before the body is read. False where there is none. */
export async function takeFileTurn(sharer: Sharer<UserAudience>, reply: FastifyReply): Promise<boolean> {
  const place = await gate.enter(sharer, { withinMs: limits.fileBodyWaitMs });
  if (place === undefined) return false;
  if (reply.raw.closed) place();
  else reply.raw.once('close', place);
  return true;
}
