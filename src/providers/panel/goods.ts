/** Reads the goods of an order: the token of a meter, or exam PINs. Pure. */
import { type Body, isBody, meterGoods, unitCount, word } from '../http/reply-fields.ts';
import type { Goods, ProviderOrder } from '../provider.ts';
import type { PanelOrder } from './mapping-schema.ts';
import { fieldOf } from './reply.ts';

/** Undefined when only a receipt is owed, and while the goods are not there. */
export function readGoods(how: PanelOrder, order: ProviderOrder, body: Body): Goods | undefined {
  if (how.pins !== undefined) return readPins(how, body);
  return how.token !== undefined && order.planCodes?.variation_code === 'prepaid'
    ? readToken(how, body)
    : undefined;
}

function readToken(
  { token: fields = [], units: unitFields = [] }: PanelOrder,
  body: Body,
): Goods | undefined {
  for (const field of fields) {
    const goods = meterGoods(fieldOf(body, field));
    if (goods === undefined) continue;
    const units = unitFields.map((one) => unitCount(fieldOf(body, one))).find((one) => one !== undefined);
    return { ...goods, ...(units !== undefined && { units }) };
  }
  return undefined;
}

const PIN = /^[0-9A-Za-z-]{6,40}$/;

function readPins(
  { pins: fields = [], serials: serialFields = [] }: PanelOrder,
  body: Body,
): Goods | undefined {
  const found = fields.map((field) => listOf(fieldOf(body, field))).find(({ length }) => length > 0);
  if (found === undefined) return undefined;
  const serials = serialFields.map((field) => listOf(fieldOf(body, field))).find(({ length }) => length > 0);
  const pins = found.map((one, index) => {
    const fields = isBody(one) ? one : { pin: one, serial: serials?.[index] };
    const [pin, serial] = [textOf(fields.pin), textOf(fields.serial)];
    return pin !== undefined && PIN.test(pin) ? { pin, ...(serial !== undefined && { serial }) } : undefined;
  });
  const read = pins.filter((pin) => pin !== undefined);
  return read.length < found.length ? undefined : { pins: read };
}

/** Reads a list, also as text with commas. */
function listOf(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return value;
  return typeof value === 'string' ? value.split(',').filter((part) => part.trim() !== '') : [];
}

/** Reads a text. Refuses a JSON number, which loses digits of a PIN. */
function textOf(value: unknown): string | undefined {
  return typeof value === 'string' ? word(value) : undefined;
}
