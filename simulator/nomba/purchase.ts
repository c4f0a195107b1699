/** Reads the body of a purchase, or returns Nomba's error reply for it. Pure. */
import { findCustomer } from '../customers.ts';
import type { Reply } from '../http.ts';
import { parseNaira } from '../naira.ts';
import type { Catalog } from './catalog.ts';
import { refusal } from './replies.ts';

export type Purchase = {
  readonly reference: string;
  readonly product: 'airtime' | 'data' | 'ELECTRICITY' | 'CABLE' | 'BETTING';
  readonly recipient: string;
  readonly amount: bigint;
  readonly meterType: string | undefined;
};

type Fields = Readonly<Record<string, unknown>>;
type Bought = Omit<Purchase, 'reference'>;
type Read = Bought | { readonly refused: Reply };

const MOBILE = /^(?:0|\+?234)[789][01]\d{8}$/;
const AMOUNT_MIN = 50_00n;

/** `kind` is the last segment of the path. */
export function readPurchase(
  kind: string,
  body: unknown,
  catalog: Catalog,
): Purchase | { readonly refused: Reply } {
  const fields: Fields = typeof body === 'object' && body !== null ? (body as Fields) : {};
  const { merchantTxRef: reference } = fields;
  if (typeof reference !== 'string' || reference === '') return invalid('merchantTxRef is required');
  const bought = READERS[kind]?.(fields, catalog) ?? invalid('Unknown product');
  return 'refused' in bought ? bought : { reference, ...bought };
}

const READERS: Readonly<Record<string, (fields: Fields, catalog: Catalog) => Read>> = {
  topup: (fields) => {
    const amount = parseNaira(fields.amount);
    if (typeof fields.amount !== 'number' || amount === undefined || amount < AMOUNT_MIN) {
      return invalid('amount is not valid');
    }
    return NETWORKS.has(networkOf(fields))
      ? line(fields, 'airtime', amount)
      : invalid('network is not valid');
  },
  data: (fields, { dataPlans }) => {
    const plan = dataPlans.get(networkOf(fields))?.get(String(fields.productId));
    return plan === undefined ? invalid('productId is not valid') : line(fields, 'data', plan.price);
  },
  electricity: (fields, { discos }) => {
    const { disco } = fields;
    // The guide writes `PREPAID`, the specification `prepaid`.
    const meterType = String(fields.meterType).toLowerCase();
    if (!discos.has(String(disco))) return invalid('disco is not valid');
    if (meterType !== 'prepaid' && meterType !== 'postpaid') return invalid('meterType is not valid');
    return bill(fields, 'ELECTRICITY', meterType);
  },
  cabletv: (fields, { bouquets }) => {
    // One page of the guide has another name for it.
    const type = String(fields.cableTvType ?? fields.cableTvPaymentType).toLowerCase();
    return bouquets.has(type)
      ? bill(fields, 'CABLE', type.toUpperCase())
      : invalid('cableTvType is not valid');
  },
  betting: (fields, { bettingProviders }) => {
    if (!bettingProviders.has(String(fields.bettingProvider))) return invalid('bettingProvider is not valid');
    if (!isMobile(fields.phoneNumber)) return invalid('phoneNumber is not valid');
    return bill(fields, 'BETTING', undefined);
  },
};

const NETWORKS: ReadonlySet<string> = new Set(['mtn', 'glo', 'airtel', '9mobile']);

function networkOf({ network }: Fields): string {
  return String(network).toLowerCase();
}

function line(fields: Fields, product: 'airtime' | 'data', amount: bigint): Read {
  const phoneNumber = digitsOf(fields.phoneNumber);
  if (!isMobile(phoneNumber)) return invalid('phoneNumber is not valid');
  return { product, recipient: phoneNumber, amount, meterType: undefined };
}

function bill(fields: Fields, product: 'ELECTRICITY' | 'CABLE' | 'BETTING', as: string | undefined): Read {
  const { payerName } = fields;
  const amount = parseNaira(fields.amount);
  const customerId = digitsOf(fields.customerId);
  const isWhole = typeof fields.amount === 'number' && Number.isInteger(fields.amount);
  if (!isWhole || amount === undefined || amount < AMOUNT_MIN) return invalid('amount is not valid');
  if (typeof payerName !== 'string' || payerName === '') return invalid('payerName is required');
  const customer = customerId === undefined ? undefined : findCustomer(product, customerId, as);
  if (customer === undefined || !customer.canVend) return invalid('Customer could not be validated');
  const meterType = product === 'ELECTRICITY' ? as : undefined;
  return { product, recipient: customerId ?? '', amount, meterType };
}

/** Text, or a number in its place. */
function digitsOf(value: unknown): string | undefined {
  return typeof value === 'number' ? String(value) : typeof value === 'string' ? value : undefined;
}

function isMobile(value: unknown): value is string {
  return typeof value === 'string' && MOBILE.test(value);
}

function invalid(description: string): { readonly refused: Reply } {
  return { refused: refusal('400', description) };
}
