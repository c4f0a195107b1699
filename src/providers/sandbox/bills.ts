/**
 * The customers that test credentials can pay bills for, and what they get. Pure: the answer to a verification, a
 * purchase or a query follows from the order alone. Any other identifier is rejected, as the interface says
 * ("Test-credential rules"), with a reason that names those that work.
 */
import { createHash } from 'node:crypto';
import type { Customer, CustomerAnswer, CustomerQuery, Goods, ProviderOrder } from '../provider.ts';

type MeterKind = 'prepaid' | 'postpaid';

type TestCustomer = {
  readonly product: 'ELECTRICITY' | 'CABLE' | 'BETTING';
  readonly customer: Customer;
  /** Electricity: which plans it can be paid by. */
  readonly meterKind?: MeterKind;
  /** Cable: the only network that knows the smartcard. */
  readonly network?: string;
  readonly gets: 'token' | 'token and key change' | 'debt cleared' | 'receipt';
};

const NAME = 'TEST CUSTOMER';
const MIN_AMOUNT = 100_00n;
const MAX_AMOUNT = 1_000_000_00n;
const ARREARS = 25_000_00n;

const testCustomers: ReadonlyMap<string, TestCustomer> = new Map([
  ['10000000001', meter('10000000001', 'prepaid', 'token')],
  ['10000000002', meter('10000000002', 'postpaid', 'receipt')],
  ['10000000003', meter('10000000003', 'prepaid', 'token and key change')],
  ['10000000004', meter('10000000004', 'prepaid', 'debt cleared')],
  ['10000000010', smartcard('DSTV', 'DStv Compact')],
  ['10000000020', smartcard('GOTV', 'GOtv Max')],
  ['10000000030', smartcard('STARTIMES', 'StarTimes Nova')],
  ['TESTBET001', { product: 'BETTING', customer: { name: NAME, username: 'testbet001' }, gets: 'receipt' }],
]);

function meter(meterNumber: string, meterKind: MeterKind, gets: TestCustomer['gets']): TestCustomer {
  const customer: Customer = {
    name: NAME,
    address: '1 Test Close, Ikeja, Lagos',
    minAmount: MIN_AMOUNT,
    maxAmount: MAX_AMOUNT,
    meterNumber,
    ...(gets === 'debt cleared' && { arrears: ARREARS }),
    accountType: 'NMD',
    meterType: meterKind.toUpperCase(),
    district: 'TEST DISTRICT',
    businessUnit: 'TEST UNIT',
    districtReference: 'TST-001',
    tariff: 'A-NON-MD',
  };
  return { product: 'ELECTRICITY', meterKind, customer, gets };
}

function smartcard(network: string, currentBouquet: string): TestCustomer {
  return { product: 'CABLE', network, customer: { name: NAME, currentBouquet }, gets: 'receipt' };
}

export function isBill(product: string): boolean {
  return product === 'ELECTRICITY' || product === 'CABLE' || product === 'BETTING';
}

export function verifyTestCustomer(query: CustomerQuery): CustomerAnswer {
  const { found, rejection } = lookUp(query);
  return found === undefined
    ? { kind: 'rejected', code: 'not_a_test_customer', message: rejection }
    : { kind: 'verified', customer: found.customer };
}

export type TestBill =
  | { readonly kind: 'paid'; readonly goods: Goods; readonly telcoMessage: string }
  | { readonly kind: 'rejected'; readonly reason: string };

export function payTestBill(order: ProviderOrder): TestBill {
  const { found, rejection } = lookUp(order);
  if (found === undefined) return { kind: 'rejected', reason: rejection };
  const telcoMessage = `${order.network} payment for ${order.recipient} successful`;
  return {
    kind: 'paid',
    telcoMessage,
    goods: { ...goodsOf(found.gets, order), customer_name: found.customer.name },
  };
}

type Lookup =
  | { readonly found: TestCustomer; readonly rejection?: undefined }
  | { readonly found?: undefined; readonly rejection: string };

function lookUp({ product, network, recipient, planCodes }: CustomerQuery): Lookup {
  const known = testCustomers.get(recipient);
  // The plan says which kind of meter it is for; a plan without codes for the sandbox takes either.
  const wanted = planCodes?.meter_type;
  if (known === undefined || known.product !== product) return { rejection: unknownTo(product, network) };
  if (known.network !== undefined && known.network !== network) {
    return { rejection: `Smartcard ${recipient} is of ${known.network}, not ${network}` };
  }
  if (known.meterKind !== undefined && wanted !== undefined && wanted !== known.meterKind) {
    return { rejection: `Meter ${recipient} is ${known.meterKind}, the plan is ${wanted}` };
  }
  return { found: known };
}

function unknownTo(product: string, network: string): string {
  const accepted = [...testCustomers]
    .filter(([, known]) => known.product === product && (known.network ?? network) === network)
    .map(([recipient]) => recipient);
  return `Not a test customer of ${network}; test credentials accept ${accepted.join(', ')}`;
}

function goodsOf(gets: TestCustomer['gets'], order: ProviderOrder): Goods {
  const token = { token: digitsFrom(order, 'token'), units: unitsFor(order.amount) };
  switch (gets) {
    case 'token':
      return token;
    case 'token and key change':
      return { ...token, kct1: digitsFrom(order, 'kct1'), kct2: digitsFrom(order, 'kct2') };
    case 'debt cleared':
      return { payment_spent_on: 'debt' };
    case 'receipt':
      return {};
  }
}

/** Twenty digits that are the same whenever and wherever the order is asked about. */
function digitsFrom(order: ProviderOrder, what: string): string {
  const hash = createHash('sha256').update(`${order.reference} ${what}`).digest('hex');
  return (BigInt(`0x${hash}`) % 10n ** 20n).toString().padStart(20, '0');
}

const KOBO_PER_TENTH_OF_KWH = 20_95n; // 209.50 naira a kWh

/** Kilowatt hours to one decimal, the resolution of a token, rounded down. */
function unitsFor(amount: bigint): string {
  const tenths = amount / KOBO_PER_TENTH_OF_KWH;
  return `${tenths / 10n}.${tenths % 10n}`;
}
