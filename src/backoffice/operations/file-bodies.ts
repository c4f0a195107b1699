/**
 * Limits request bodies with files, which stay in memory until their call is answered. The console,
 * the portal and the admin API share the limit, with reserved slots for each.
 */
import type { FastifyReply } from 'fastify';
import { FairGate, type Sharer } from '../../core/fair-gate.ts';
import { limits } from '../../core/limits.ts';

export type UserAudience = 'console' | 'portal' | 'admin';

const gate = new FairGate<UserAudience>(limits.fileBodies);

/** Waits for a slot before the body is read. Returns false if none becomes free. */
export async function takeFileTurn(sharer: Sharer<UserAudience>, reply: FastifyReply): Promise<boolean> {
  const place = await gate.enter(sharer, { withinMs: limits.fileBodyWaitMs });
  if (place === undefined) return false;
  if (reply.raw.closed) place();
  else reply.raw.once('close', place);
  return true;
}
