/**
 * Builds the calls that buy an order and look up a customer at Nomba. Pure. Source: Nomba's OpenAPI
 * document ("Vendor API"), bill endpoints. The plan's codes name the biller.
 */
import { formatAmount } from '../../core/money.ts';
import { localForm } from '../../core/products/mobile-number.ts';
import type { CustomerQuery, ProviderOrder } from '../provider.ts';

export type Purchase =
  /** `path` follows the version and comes before the sub-account. */
  | { readonly path: string; readonly body: Readonly<Record<string, unknown>> }
  /** Nomba cannot serve the order. */
  | { readonly lacks: 'code' | 'phone' | 'whole naira' };

const NETWORKS: ReadonlySet<string> = new Set(['MTN', 'GLO', 'AIRTEL', '9MOBILE']);

const KOBO_PER_NAIRA = 100n;

/** Builds the call of an order. `payerName` is the payer that Nomba and the biller see. */
export function toPurchase(order: ProviderOrder, payerName: string): Purchase {
  switch (order.product) {
    case 'airtime':
    case 'data':
      return topUp(order);
    case 'ELECTRICITY':
    case 'CABLE':
    case 'BETTING':
      return bill(order, payerName);
    default:
      return { lacks: 'code' };
  }
}

function topUp(order: ProviderOrder): Purchase {
  if (!NETWORKS.has(order.network)) return { lacks: 'code' };
  const common = {
    phoneNumber: localForm(order.recipient),
    network: order.network,
    merchantTxRef: order.reference,
  };
  if (order.product === 'airtime') {
    // Two decimals at most and far below 2^53: exact as a JSON number.
    return { path: '/bill/topup', body: { ...common, amount: Number(formatAmount(order.amount)) } };
  }
  const productId = order.planCodes?.productId;
  // Send no amount: Nomba charges the plan's price, and does not document an amount beside a plan.
  return productId === undefined ? { lacks: 'code' } : { path: '/bill/data', body: { ...common, productId } };
}

function bill(order: ProviderOrder, payerName: string): Purchase {
  // Nomba accepts bills in whole naira only, and a paid amount is never rounded.
  if (order.amount % KOBO_PER_NAIRA !== 0n) return { lacks: 'whole naira' };
  const { disco, meter_type, cable_type, betting_provider } = order.planCodes ?? {};
  const common = {
    customerId: order.recipient,
    amount: Number(order.amount / KOBO_PER_NAIRA),
    payerName,
    merchantTxRef: order.reference,
  };
  if (order.product === 'ELECTRICITY') {
    return disco === undefined || meter_type === undefined
      ? { lacks: 'code' }
      : { path: '/bill/electricity', body: { ...common, disco, meterType: meter_type } };
  }
  if (order.product === 'CABLE') {
    return cable_type === undefined
      ? { lacks: 'code' }
      : { path: '/bill/cabletv', body: { ...common, cableTvType: cable_type } };
  }
  if (betting_provider === undefined) return { lacks: 'code' };
  if (order.phone === undefined) return { lacks: 'phone' };
  const phoneNumber = localForm(order.phone);
  return { path: '/bill/betting', body: { ...common, bettingProvider: betting_provider, phoneNumber } };
}

/** Builds the path of a customer look-up. Undefined when the plan has no code at Nomba. */
export function toLookup({ product, recipient, planCodes }: CustomerQuery): string | undefined {
  const lookup = (path: string, biller: string, code: string | undefined): string | undefined =>
    code === undefined
      ? undefined
      : `${path}/lookup?${new URLSearchParams({ customerId: recipient, [biller]: code })}`;
  switch (product) {
    case 'ELECTRICITY':
      return lookup('/bill/electricity', 'disco', planCodes?.disco);
    case 'CABLE':
      return lookup('/bill/cabletv', 'cableTvType', planCodes?.cable_type);
    case 'BETTING':
      return lookup('/bill/betting', 'providerId', planCodes?.betting_provider);
    default:
      return undefined;
  }
}
