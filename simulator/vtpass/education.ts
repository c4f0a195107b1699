/**
 * Education PINs at the simulated VTpass. For every second customer a list is sent as JSON in a
 * text, as VTpass sometimes does.
 */
import type { Order } from '../books.ts';
import { digitsFrom, findCustomer, isPlausible } from '../customers.ts';
import type { SimulatedBill } from './bill.ts';

export const education: SimulatedBill = {
  product: 'EDUCATION',
  category: 'education',
  type: 'Education',
  services: [
    ['waec', 'WAEC Result Checker PIN'],
    ['waec-registration', 'WAEC Registration PIN'],
    ['jamb', 'Jamb'],
  ],
  bounds: { min: 100_00n, max: 1_000_000_00n },
  isByAmount: false,
  takesType: true,
  isForPhone: ({ serviceId }) => serviceId !== 'jamb',
  isPlausible: (recipient) => isPlausible('EDUCATION', recipient),
  find: (_service, recipient) => findCustomer('EDUCATION', recipient),
  toContent: (_service, _recipient, _variation, { name }) => ({ Customer_Name: name }),
  unknownText: 'The profile ID is not valid. Please check and try again',
  toGoods,
};

function toGoods(order: Order, now: Date): Record<string, unknown> {
  if (order.goodsAt !== undefined && order.goodsAt > now) return {};
  const digits = (what: string, length: number): string => digitsFrom(order.reference, what).slice(-length);
  const list = (items: readonly unknown[]): unknown =>
    Number(order.recipient.slice(-1)) % 2 === 0 ? items : JSON.stringify(items);
  switch (order.detail.serviceId) {
    case 'waec': {
      const card = { Serial: `WRN${digits('serial', 9)}`, Pin: digits('pin', 12) };
      const purchased_code = `Serial No:${card.Serial}, pin: ${card.Pin}`;
      return { purchased_code, cards: list([card]) };
    }
    case 'waec-registration': {
      const token = digits('token', 19);
      return { purchased_code: `Token: ${token}`, tokens: list([token]) };
    }
    default: {
      const text = `Pin : ${digits('pin', 16)}`;
      return { purchased_code: text, Pin: text };
    }
  }
}
