/**
 * Builds the calls that buy an order and verify a customer at VTU.ng. Pure. The plan's codes name
 * the service and, as `variation_code`, VTU.ng's `variation_id`.
 */
import { formatAmount } from '../../core/money.ts';
import { localForm } from '../../core/products/mobile-number.ts';
import type { CustomerQuery, ProviderOrder } from '../provider.ts';

type Fields = Readonly<Record<string, string | number>>;

export type Purchase =
  | { readonly path: string; readonly body: Fields }
  /** VTU.ng cannot serve the order. */
  | { readonly lacks: 'code' | 'whole naira' }
  /** A renewal is sent only at the amount due, in kobo. */
  | { readonly amountDue: bigint };

const AIRTIME_SERVICES: ReadonlyMap<string, string> = new Map([
  ['MTN', 'mtn'],
  ['GLO', 'glo'],
  ['AIRTEL', 'airtel'],
  ['9MOBILE', '9mobile'],
]);

/** Letter case matters. */
const BETTING_SERVICES: ReadonlyMap<string, string> = new Map([
  ['BET9JA', 'Bet9ja'],
  ['SPORTYBET', 'SportyBet'],
  ['1XBET', '1xBet'],
  ['BETKING', 'BetKing'],
  ['BETWAY', 'BetWay'],
  ['NAIRABET', 'NairaBet'],
  ['MERRYBET', 'MerryBet'],
  ['BANGBET', 'BangBet'],
]);

/** The services whose variations are bouquets. */
export const CABLE_SERVICES: ReadonlySet<string> = new Set(['dstv', 'gotv', 'startimes', 'showmax']);

const KOBO_PER_NAIRA = 100n;

export function toPurchase(order: ProviderOrder): Purchase {
  switch (order.product) {
    case 'airtime':
      return byAmount(order, '/airtime', AIRTIME_SERVICES.get(order.network), {
        phone: localForm(order.recipient),
      });
    case 'data':
      return byVariation(order, '/data', { phone: localForm(order.recipient) });
    case 'ELECTRICITY': {
      const variation_id = meterKindOf(order);
      const service = order.planCodes?.service_id;
      return variation_id === undefined
        ? { lacks: 'code' }
        : byAmount(order, '/electricity', service, { customer_id: order.recipient, variation_id });
    }
    case 'CABLE':
      return cable(order);
    case 'BETTING':
      return byAmount(order, '/betting', bettingServiceOf(order), { customer_id: order.recipient });
    default:
      return { lacks: 'code' };
  }
}

/**
 * Builds an order whose amount we set. Whether VTU.ng accepts kobo is not documented, and an amount
 * that it rounds would be another purchase. So only whole naira are sent.
 */
function byAmount(
  { reference, amount }: ProviderOrder,
  path: string,
  service_id: string | undefined,
  fields: Fields,
): Purchase {
  if (service_id === undefined) return { lacks: 'code' };
  if (amount % KOBO_PER_NAIRA !== 0n) return { lacks: 'whole naira' };
  const body = { request_id: reference, service_id, ...fields, amount: Number(amount / KOBO_PER_NAIRA) };
  return { path, body };
}

function byVariation({ reference, planCodes }: ProviderOrder, path: string, fields: Fields): Purchase {
  const { service_id, variation_code: variation_id } = planCodes ?? {};
  if (service_id === undefined || variation_id === undefined) return { lacks: 'code' };
  return { path, body: { request_id: reference, service_id, ...fields, variation_id } };
}

/** Builds an order of a bouquet. The default of VTU.ng changes the customer's bouquet. */
function cable(order: ProviderOrder): Purchase {
  if (order.planCodes?.subscription_type !== 'renew') {
    return byVariation(order, '/tv', { customer_id: order.recipient, subscription_type: 'change' });
  }
  const due = order.customer?.renewalAmount;
  if (due !== undefined && due !== order.amount) return { amountDue: due };
  return byVariation(order, '/tv', {
    customer_id: order.recipient,
    subscription_type: 'renew',
    amount: Number(formatAmount(order.amount)),
  });
}

/** Builds the body of a verification. Undefined when the plan's codes are not sufficient. */
export function toVerification(query: CustomerQuery): Fields | undefined {
  const service_id = query.product === 'BETTING' ? bettingServiceOf(query) : query.planCodes?.service_id;
  if (service_id === undefined) return undefined;
  const common = { customer_id: query.recipient, service_id };
  if (query.product !== 'ELECTRICITY') return common;
  const variation_id = meterKindOf(query);
  return variation_id === undefined ? undefined : { ...common, variation_id };
}

function bettingServiceOf({
  network,
  planCodes,
}: Pick<CustomerQuery, 'network' | 'planCodes'>): string | undefined {
  return planCodes?.service_id ?? BETTING_SERVICES.get(network);
}

/** Returns the kind of meter of an electricity plan. */
export function meterKindOf({
  planCodes,
}: Pick<CustomerQuery, 'planCodes'>): 'prepaid' | 'postpaid' | undefined {
  const kind = planCodes?.variation_code;
  return kind === 'prepaid' || kind === 'postpaid' ? kind : undefined;
}
