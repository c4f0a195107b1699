/** `POST /requery`: the outcome of an order, by the caller's own id. */
import type { Order } from '../books.ts';
import { json, type Reply } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import { textOf } from './purchase.ts';
import { refusal, requeryReply, words } from './replies.ts';
import type { Vtpass } from './vtpass.ts';

export async function requery({ account }: Vtpass, body: unknown): Promise<Reply> {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const requestId = textOf(fields.request_id);
  if (typeof requestId !== 'string' || requestId === '') return refusal('011');
  const order = await account.find(requestId);
  const fault = account.fault('requery', order?.recipient ?? '');
  await holdBack(fault);
  const known = order !== undefined && (order.visibleAt === undefined || order.visibleAt <= new Date());
  const reply = known ? replyAbout(order) : refusal('015');
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}

/** An order that was refused as a near-duplicate is remembered as such. */
function replyAbout(order: Order): Reply {
  return order.detail.refused === undefined ? json(requeryReply(order)) : refusal(order.detail.refused);
}
