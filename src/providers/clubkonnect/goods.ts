/** Reads what ClubKonnect's answers hand over: the tokens of a prepaid meter, a PIN. Pure. */
import { type Body, meterGoods, word } from '../http/reply-fields.ts';
import type { Goods, ProviderOrder } from '../provider.ts';

/** Reads the goods. Undefined when only a receipt is owed, and until the goods are there. */
export function readGoods({ product, planCodes }: ProviderOrder, body: Body): Goods | undefined {
  if (product === 'EDUCATION') return readPin(body.carddetails);
  if (product !== 'ELECTRICITY' || planCodes?.meter_type !== 'prepaid') return undefined;
  return meterGoods(body.metertoken);
}

const CARD = /^(?:Serial\s*No\s*:\s*([0-9A-Z-]+)\s*,\s*)?pin\s*:\s*([0-9A-Z-]+)$/i;

/** Reads `Serial No:WRN…, pin: 0987…`. Refuses a number, which loses digits of a PIN. */
function readPin(value: unknown): Goods | undefined {
  const [, serial, pin] = CARD.exec(typeof value === 'string' ? (word(value) ?? '') : '') ?? [];
  return pin === undefined ? undefined : { pins: [{ ...(serial !== undefined && { serial }), pin }] };
}
