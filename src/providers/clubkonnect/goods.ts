/**
 * Reads the goods in ClubKonnect's answers: the tokens of a prepaid meter, the PIN of an
 * examination or of a recharge card. Pure.
 */
import { type Body, isBody, meterGoods, naira, word } from '../http/reply-fields.ts';
import type { Goods, ProviderOrder } from '../provider.ts';

/** Reads the goods. Undefined if only a receipt is owed, and until the goods are there. */
export function readGoods({ product, planCodes }: ProviderOrder, body: Body): Goods | undefined {
  if (product === 'EDUCATION') {
    return planCodes?.value === undefined ? readPin(body.carddetails) : readCard(planCodes.value, body);
  }
  if (product !== 'ELECTRICITY' || planCodes?.meter_type !== 'prepaid') return undefined;
  return meterGoods(body.metertoken);
}

const CARD = /^(?:Serial\s*No\s*:\s*([0-9A-Z-]+)\s*,\s*)?pin\s*:\s*([0-9A-Z-]+)$/i;

/** Reads `Serial No:WRN…, pin: 0987…`. Refuses a number, which loses digits of a PIN. */
function readPin(value: unknown): Goods | undefined {
  const [, serial, pin] = CARD.exec(typeof value === 'string' ? (word(value) ?? '') : '') ?? [];
  return pin === undefined ? undefined : { pins: [{ ...(serial !== undefined && { serial }), pin }] };
}

/** Tells whether the answer contains recharge cards of any value. */
export function hasCards({ TXN_EPIN: cards }: Body): boolean {
  return Array.isArray(cards) && cards.length > 0;
}

const CARD_PIN = /^[0-9]{8,20}$/;

/**
 * Reads the one recharge card of the ordered value, in naira. Refuses several cards, another value,
 * and a PIN that is a number, which loses digits.
 */
function readCard(value: string, { TXN_EPIN: cards }: Body): Goods | undefined {
  const [card, ...more]: readonly unknown[] = Array.isArray(cards) ? cards : [];
  if (!isBody(card) || more.length > 0 || naira(card.amount) !== naira(value)) return undefined;
  const pin = typeof card.pin === 'string' ? card.pin.replaceAll(/[ -]/g, '') : '';
  const serial = word(card.sno);
  return CARD_PIN.test(pin) ? { pins: [{ ...(serial !== undefined && { serial }), pin }] } : undefined;
}
