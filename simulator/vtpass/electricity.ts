/**
 * Electricity at the simulated VTpass. It forwards the disco's answer, so the spelling is the
 * disco's.
 */
import type { Order } from '../books.ts';
import { digitsFrom, findCustomer, isPlausible, type SimulatedCustomer, unitsFor } from '../customers.ts';
import { nairaNumber, nairaText } from '../naira.ts';
import type { SimulatedBill } from './bill.ts';
import type { Service, Variation } from './catalog.ts';

const METER_KINDS: ReadonlyMap<string, Variation> = new Map([
  ['prepaid', { code: 'prepaid', name: 'Prepaid Meter', price: 0n }],
  ['postpaid', { code: 'postpaid', name: 'Postpaid Meter', price: 0n }],
]);

export const electricity: SimulatedBill = {
  product: 'ELECTRICITY',
  category: 'electricity-bill',
  type: 'Electricity Bill',
  services: [
    ['ikeja-electric', 'Ikeja Electric Payment - IKEDC'],
    ['eko-electric', 'Eko Electric Payment - EKEDC'],
    ['abuja-electric', 'Abuja Electricity Distribution Company- AEDC'],
    ['kano-electric', 'KEDCO - Kano Electric'],
    ['portharcourt-electric', 'PHED - Port Harcourt Electric'],
    ['jos-electric', 'Jos Electric - JED'],
    ['kaduna-electric', 'Kaduna Electric - KAEDCO'],
    ['enugu-electric', 'Enugu Electric - EEDC'],
    ['ibadan-electric', 'IBEDC - Ibadan Electricity Distribution Company'],
    ['benin-electric', 'Benin Electricity - BEDC'],
    ['aba-electric', 'Aba Electric Payment - ABEDC'],
    ['yola-electric', 'Yola Electric Disco Payment - YEDC'],
  ],
  bounds: { min: 100_00n, max: 10_000_000_00n },
  isByAmount: true,
  takesType: true,
  variations: METER_KINDS,
  isPlausible: (recipient) => isPlausible('ELECTRICITY', recipient),
  find: (_service, recipient, variation) => findCustomer('ELECTRICITY', recipient, variation),
  toContent,
  unknownText:
    'This meter is not correct or is not a valid meter for this service. Please check and try again',
  toGoods: electricityFields,
};

function electricityFields(order: Order, now: Date): Record<string, unknown> {
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
  if (order.goodsAt !== undefined && order.goodsAt > now) {
    return serviceId === 'kano-electric' ? { ...receipt, Token: 'null', purchased_code: '' } : receipt;
  }
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
  const lower = { kct1: change?.one ?? 'null', kct2: change?.two ?? 'null' };
  const upper = { KCT1: change?.one ?? '', KCT2: change?.two ?? '' };
  switch (serviceId) {
    case 'ikeja-electric':
      return {
        token,
        purchased_code: `Token : ${token}`,
        units,
        resetToken: change?.one ?? null,
        configureToken: change?.two ?? null,
      };
    case 'eko-electric':
      return { ...withBonus(order, token), tokenAmount: nairaNumber(order.amount), ...lower };
    case 'benin-electric':
      return { mainToken: token, mainTokenUnits: `${units} kWh`, bonusToken: 'N/A', ...lower };
    case 'abuja-electric':
    case 'kaduna-electric':
      return { Token: grouped, PurchasedUnits: Number(units), ...upper };
    case 'kano-electric':
    case 'yola-electric':
      return { purchased_code: `Token : ${token}`, Token: 'null', units: `${units}kWh`, ...upper };
    default:
      return { token, purchased_code: `Token : ${token}`, Units: units, ...lower };
  }
}

/** A bonus is a separate field, or in one text with the token. */
function withBonus(order: Order, token: string): Record<string, unknown> {
  const bonus = digitsFrom(order.reference, 'bonus');
  const units = unitsFor(order.amount);
  return Number(order.recipient.slice(-1)) % 2 === 0
    ? { mainToken: token, mainTokenUnits: `${units} kWh`, bonusToken: bonus }
    : { token: `${token}, ${bonus}`, mainTokenUnits: `${units} kWh` };
}

const DEBT = 25_000_00n;

function toContent(
  { serviceId }: Service,
  number: string,
  type: string,
  { name, address, canVend, gets }: SimulatedCustomer,
): Record<string, unknown> {
  const owed = gets === 'debt cleared' ? DEBT : 0n;
  const common = { Customer_Name: name, WrongBillersCode: false, Can_Vend: canVend ? 'yes' : 'no' };
  if (serviceId === 'ikeja-electric' || serviceId === 'eko-electric') {
    return {
      ...common,
      Address: address,
      Meter_Number: number,
      Customer_Arrears: nairaText(owed),
      Minimum_Amount: '',
      Min_Purchase_Amount: '1000.00',
      MAX_Purchase_Amount: '1000000',
      Business_Unit: 'IKEJA',
      Customer_Account_Type: 'NMD',
      Meter_Type: type.toUpperCase(),
      Tariff: 'A-NON-MD',
      commission_details: { amount: null, rate: '3.00', rate_type: 'percent', computation_type: 'default' },
    };
  }
  // Some meters of Jos have no name on record.
  const isNameless = serviceId === 'jos-electric' && number.endsWith('7');
  return {
    ...common,
    ...(isNameless && { Customer_Name: '' }),
    Address: isNameless ? 'N/A' : address,
    Business_Unit: 'null',
    MeterNumber: Number(number),
    Outstanding: nairaNumber(owed),
    Min_Purchase_Amount: 0,
    Customer_Account_Type: 'MD2',
    Customer_District: 'CENTRAL',
    Customer_District_Reference: `CEN-${number.slice(-4)}`,
    Service_Band: 'B',
  };
}
