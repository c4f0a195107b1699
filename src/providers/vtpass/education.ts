/**
 * Education PINs at VTpass: JAMB for a profile code, WAEC for a phone only. Replies have the PINs
 * in `cards`, `tokens`, `Pin` or `purchased_code`, as lists or as JSON in a text. Pure.
 */
import { type Body, fieldFinder, isBody, word } from '../http/reply-fields.ts';
import type { Goods, ProviderOrder } from '../provider.ts';
import type { VtpassBill } from './bills.ts';

type Pin = { readonly serial?: string; readonly pin: string };

export const education: VtpassBill = {
  phoneOf: (order) => (isForPhone(order) ? order.recipient : undefined),

  toPurchase: (order, { billersCode, ...common }) => {
    const variation_code = order.planCodes?.variation_code;
    if (variation_code === undefined) return { lacks: 'code' };
    const customer = isForPhone(order) || billersCode === undefined ? {} : { billersCode };
    return { body: { ...common, ...customer, variation_code } };
  },

  toVerification: (query, common) => {
    const type = query.planCodes?.variation_code;
    return type === undefined ? undefined : { ...common, type };
  },

  readGoods,
};

/** Tells whether the recipient is a phone. A profile code is shorter. */
function isForPhone({ recipient }: ProviderOrder): boolean {
  return /^234\d{10}$/.test(recipient);
}

function readGoods(_order: ProviderOrder, body: Body): Goods | undefined {
  const find = fieldFinder(body);
  const found = [
    listOf(find('cards')).flatMap(readCard),
    listOf(find('tokens')).flatMap(readText),
    readText(find('Pin')),
    readText(find('purchased_code')),
  ];
  const pins = found.find(({ length }) => length > 0);
  return pins && { pins };
}

/** Reads a list, also as JSON in a text. Empty for anything else. */
function listOf(value: unknown): readonly unknown[] {
  if (typeof value !== 'string') return Array.isArray(value) ? value : [];
  try {
    const parsed: unknown = JSON.parse(value);
    return Array.isArray(parsed) ? parsed : [];
  } catch {
    return [];
  }
}

function readCard(card: unknown): readonly Pin[] {
  if (!isBody(card)) return readText(card);
  const find = fieldFinder(card);
  const serial = textOf(find('Serial', 'Serial No'));
  const pin = textOf(find('Pin'));
  return pin === undefined ? [] : [{ ...(serial !== undefined && { serial }), pin }];
}

const LABELLED = /^(?:Serial No\s*:\s*(\S+?)\s*,\s*)?(?:Pin|Token)\s*:\s*([0-9A-Z-]+)$/i;
const BARE = /^[0-9]{8,}$/;

/**
 * Reads `Serial No:WRN…, pin: 0987…`, `Token: …`, `Pin : …` or bare digits. `||` separates several.
 */
function readText(value: unknown): readonly Pin[] {
  return (textOf(value) ?? '').split('||').flatMap((part) => {
    const text = part.trim();
    if (BARE.test(text)) return [{ pin: text }];
    const [, serial, pin] = LABELLED.exec(text) ?? [];
    return pin === undefined ? [] : [{ ...(serial !== undefined && { serial }), pin }];
  });
}

/** Reads a text. Refuses a JSON number, which loses digits of a PIN. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? word(value) : undefined;
}
