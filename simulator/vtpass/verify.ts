/**
 * `POST /merchant-verify`. A wrong number is reported under the code of success, and the fields
 * differ by biller, as VTpass's do.
 */
import { json, type Reply } from '../http.ts';
import { holdBack, spoil } from '../misbehave.ts';
import { textOf } from './purchase.ts';
import { refusal, words } from './replies.ts';
import type { Vtpass } from './vtpass.ts';

export async function verify({ account, catalog }: Vtpass, body: unknown): Promise<Reply> {
  const fields = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const { serviceID, type } = fields;
  const billersCode = textOf(fields.billersCode);
  const service = catalog.get(String(serviceID));
  const bill = service?.bill;
  if (service === undefined || bill === undefined || bill.isForPhone?.(service)) return refusal('012');
  if (typeof billersCode !== 'string' || !bill.isPlausible(billersCode)) return refusal('011');
  const variation = String(type);
  if (bill.takesType && !service.variations.has(variation)) return refusal('011');
  const fault = account.fault('verify', billersCode);
  await holdBack(fault);
  const customer = fault?.fault === 'refused' ? undefined : bill.find(service, billersCode, variation);
  const content =
    customer === undefined
      ? { error: bill.unknownText, WrongBillersCode: true }
      : bill.toContent(service, billersCode, variation, customer);
  const reply = json({ code: '000', content });
  return fault === undefined ? reply : spoil(fault, reply, words, account.settings.timeoutMs);
}
