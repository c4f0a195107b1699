/**
 * What VTpass adds to a reply for electricity. It passes on what the disco said, so the spelling is
 * the disco's.
 */
import type { Order } from '../books.ts';
import { digitsFrom, findCustomer, unitsFor } from '../customers.ts';
import { nairaNumber, nairaText } from '../naira.ts';

export function electricityFields(order: Order, now: Date): Record<string, unknown> {
  if (order.product !== 'ELECTRICITY') return {};
  const { variation, serviceId = '' } = order.detail;
  const customer = findCustomer('ELECTRICITY', order.recipient);
  const receipt = { customerName: customer?.name, address: customer?.address, meterNumber: order.recipient };
  if (variation !== 'prepaid')
    return { ...receipt, exchangeReference: digitsFrom(order.reference, 'receipt') };
  if (customer?.gets === 'debt cleared') {
    const applied = nairaText(order.amount);
    return {
      ...receipt,
      token: '',
      units: 0,
      tokenAmount: 0,
      appliedToArrears: applied,
      debtDescription: 'Arrears',
    };
  }
  if (order.goodsAt !== undefined && order.goodsAt > now) return receipt;
  const change =
    customer?.gets === 'token and key change'
      ? { one: digitsFrom(order.reference, 'kct1'), two: digitsFrom(order.reference, 'kct2') }
      : undefined;
  return { ...receipt, ...tokenFields(serviceId, order, change) };
}

type KeyChange = { readonly one: string; readonly two: string };

function tokenFields(
  serviceId: string,
  order: Order,
  change: KeyChange | undefined,
): Record<string, unknown> {
  const token = digitsFrom(order.reference, 'token');
  const units = unitsFor(order.amount);
  const grouped = token.replace(/(\d{4})(?=\d)/g, '$1-');
  const lower = change && { kct1: change.one, kct2: change.two };
  const upper = change && { KCT1: change.one, KCT2: change.two };
  switch (serviceId) {
    case 'eko-electric':
    case 'benin-electric':
      return {
        mainToken: token,
        mainTokenUnits: `${units} kWh`,
        tokenAmount: nairaNumber(order.amount),
        ...lower,
      };
    case 'abuja-electric':
    case 'kaduna-electric':
      return { Token: grouped, units: Number(units), ...upper };
    case 'kano-electric':
    case 'yola-electric':
      return { purchased_code: `Token : ${token}`, token: null, units: `${units}kWh`, ...upper };
    default:
      return { token, purchased_code: `Token : ${token}`, units, ...lower };
  }
}
