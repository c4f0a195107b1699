/** `POST /requery`: what became of an order, by the caller's own id. */
import { setTimeout as sleep } from 'node:timers/promises';
import { json, type Reply } from '../http.ts';
import { spoil } from './misbehave.ts';
import { refusal, requeryReply } from './replies.ts';
import { PROVIDER, type Vtpass } from './vtpass.ts';

export async function requery(vtpass: Vtpass, body: unknown): Promise<Reply> {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { request_id: requestId } = fields;
  if (typeof requestId !== 'string' || requestId === '') return refusal('011');
  const order = await vtpass.books.find(PROVIDER, requestId);
  const fault = vtpass.faults.take('requery', order?.recipient ?? '');
  if (fault !== undefined && fault.delayMs > 0) await sleep(fault.delayMs);
  const known = order !== undefined && (order.visibleAt === undefined || order.visibleAt <= new Date());
  if (fault === undefined && !known) return refusal('015', requestId);
  const reply = known ? requeryReply(order) : {};
  return fault === undefined ? json(reply) : spoil(fault, reply, vtpass.settings.timeoutMs);
}
