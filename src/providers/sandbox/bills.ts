/**
 * Plays the test customers of bills: those in the products' records, and those whose id names a
 * scenario. Pure: the answer depends on the order only. Any other customer is rejected
 * with a message that lists the test customers.
 */
import { createHash } from 'node:crypto';
import { billRecipient } from '../../core/products/bill-recipient.ts';
import { type BillProduct, billProducts } from '../../core/products/product.ts';
import { recordOf } from '../../core/products/registry.ts';
import type { TestCustomer } from '../../core/products/test-rules.ts';
import { type StoryPlay, storyOfRecipient } from '../../core/products/test-stories.ts';
import type { CustomerAnswer, CustomerQuery, Goods, ProviderOrder } from '../provider.ts';

type Known = TestCustomer & { readonly product: BillProduct };

const testCustomers: ReadonlyMap<string, Known> = new Map(
  billProducts.flatMap((product) =>
    recordOf(product).testCustomers.map(
      (known) => [billRecipient(product, known.network ?? '', known.id), { ...known, product }] as const,
    ),
  ),
);

/** The limit and the debt of the scenarios that have one. */
const LIMITED_MIN = 900_000_00n;
const ARREARS = 25_000_00n;

export function verifyTestCustomer(query: CustomerQuery): CustomerAnswer {
  const { found, rejection } = lookUp(query);
  if (found === undefined) return { kind: 'rejected', code: 'not_a_test_customer', message: rejection };
  const { customer: said, brings } = storyOfRecipient(query.product, query.recipient)?.play ?? {};
  if (said === 'rejected') {
    const message = `${query.recipient} is not known to ${query.network}`;
    return { kind: 'rejected', code: 'unknown_customer', message };
  }
  if (found.customer === undefined || said === 'unavailable') {
    return {
      kind: 'unavailable',
      code: 'not_verified',
      message: `${query.network} does not verify customers`,
    };
  }
  return {
    kind: 'verified',
    customer: {
      ...found.customer,
      ...(said === 'limited' && { minAmount: LIMITED_MIN }),
      ...(brings === 'debt cleared' && { arrears: ARREARS }),
    },
  };
}

export type TestBill =
  | { readonly kind: 'paid'; readonly goods: Goods; readonly telcoMessage: string }
  | { readonly kind: 'rejected'; readonly reason: string };

/** Pays a test bill. `brings` is the result that the scenario prescribes. */
export function payTestBill(order: ProviderOrder, brings?: StoryPlay['brings']): TestBill {
  const { found, rejection } = lookUp(order);
  if (found === undefined) return { kind: 'rejected', reason: rejection };
  const telcoMessage = `${order.network} payment for ${order.recipient} successful`;
  return {
    kind: 'paid',
    telcoMessage,
    goods: {
      ...goodsOf(brings ?? found.brings, order),
      ...(found.customer && { customer_name: found.customer.name }),
    },
  };
}

type Lookup =
  | { readonly found: Known; readonly rejection?: undefined }
  | { readonly found?: undefined; readonly rejection: string };

function lookUp(query: CustomerQuery): Lookup {
  const { product, network, recipient, planCodes } = query;
  const known = testCustomers.get(recipient) ?? storyCustomer(query);
  // The plan names the kind of meter. A plan without sandbox codes accepts both.
  const wanted = planCodes?.meter_type;
  if (known === undefined || known.product !== product) return { rejection: unknownTo(product, network) };
  if (known.network !== undefined && known.network !== network) {
    const { noun } = recordOf(known.product).customer;
    const named = `${noun.charAt(0).toUpperCase()}${noun.slice(1)}`;
    return { rejection: `${named} ${recipient} belongs to ${known.network}, not ${network}` };
  }
  if (known.meterKind !== undefined && wanted !== undefined && wanted !== known.meterKind) {
    return { rejection: `Meter ${recipient} is ${known.meterKind}, the plan is ${wanted}` };
  }
  return { found: known };
}

/**
 * Returns the customer of a scenario: a copy of the network's first test customer of such a plan.
 */
function storyCustomer({ product, network, recipient, planCodes }: CustomerQuery): Known | undefined {
  const story = storyOfRecipient(product, recipient);
  const wanted = planCodes?.meter_type;
  const like = [...testCustomers.values()].find(
    (known) =>
      known.product === product &&
      (known.network ?? network) === network &&
      (known.meterKind === undefined || wanted === undefined || known.meterKind === wanted),
  );
  if (story === undefined || like === undefined) return undefined;
  const { customer } = like;
  if (story.onlyVerified && customer === undefined) return undefined;
  // Only a prepaid meter gets tokens.
  if (story.play.brings !== undefined && like.meterKind === 'postpaid') return undefined;
  const meterNumber = customer?.meterNumber === undefined ? {} : { meterNumber: recipient };
  const told = customer && { customer: { ...customer, ...meterNumber } };
  return { ...like, id: recipient, ...told };
}

function unknownTo(product: string, network: string): string {
  const accepted = [...testCustomers]
    .map(([, known]) => known)
    .filter((known) => known.product === product && (known.network ?? network) === network)
    .map(({ id }) => id);
  return `Not a test customer of ${network}; test credentials accept ${accepted.join(', ')}`;
}

function goodsOf(brings: TestCustomer['brings'], order: ProviderOrder): Goods {
  const token = { token: digitsFrom(order, 'token'), units: unitsFor(order.amount) };
  switch (brings) {
    case 'token':
      return token;
    case 'token and key change':
      return { ...token, kct1: digitsFrom(order, 'kct1'), kct2: digitsFrom(order, 'kct2') };
    case 'debt cleared':
      return { payment_spent_on: 'debt' };
    case 'serial and PIN':
      return { pins: [{ serial: `TST${pinFrom(order, 'serial', 9)}`, pin: pinFrom(order, 'pin', 12) }] };
    case 'PIN':
      return { pins: [{ pin: pinFrom(order, 'pin', 16) }] };
    case 'receipt':
      return {};
  }
}

/** Makes twenty digits, which are always the same for the same order. */
function digitsFrom(order: ProviderOrder, what: string): string {
  const hash = createHash('sha256').update(`${order.reference} ${what}`).digest('hex');
  return (BigInt(`0x${hash}`) % 10n ** 20n).toString().padStart(20, '0');
}

function pinFrom(order: ProviderOrder, what: string, length: number): string {
  return digitsFrom(order, what).slice(-length);
}

const KOBO_PER_TENTH_OF_KWH = 20_95n; // 209.50 naira a kWh

/** Computes kilowatt hours, rounded down to one decimal, the resolution of a token. */
function unitsFor(amount: bigint): string {
  const tenths = amount / KOBO_PER_TENTH_OF_KWH;
  return `${tenths / 10n}.${tenths % 10n}`;
}
