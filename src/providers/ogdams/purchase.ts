/** Builds the calls that buy an order at OGDAMS. Pure. */
import { localForm } from '../../core/products/mobile-number.ts';
import type { ProviderOrder } from '../provider.ts';

export type Purchase =
  | { readonly path: string; readonly body: Readonly<Record<string, string | number>> }
  /** OGDAMS cannot serve the order. */
  | { readonly lacks: 'code' | 'whole naira' };

/** Its own numbers: Airtel comes before Glo. */
const NETWORKS: ReadonlyMap<string, number> = new Map([
  ['MTN', 1],
  ['AIRTEL', 2],
  ['GLO', 3],
  ['9MOBILE', 4],
]);

const KOBO_PER_NAIRA = 100n;

/**
 * Whether OGDAMS accepts kobo of airtime is not documented, and an amount that it rounds would be
 * another purchase. So only whole naira are sent.
 */
export function toPurchase(order: ProviderOrder): Purchase {
  const networkId = NETWORKS.get(order.network);
  if (networkId === undefined) return { lacks: 'code' };
  const common = { networkId, phoneNumber: localForm(order.recipient), reference: order.reference };
  if (order.product === 'airtime') {
    if (order.amount % KOBO_PER_NAIRA !== 0n) return { lacks: 'whole naira' };
    const amount = Number(order.amount / KOBO_PER_NAIRA);
    return { path: '/api/v1/vend/airtime', body: { ...common, amount, type: 'vtu' } };
  }
  const plan = order.product === 'data' ? order.planCodes?.variation_code : undefined;
  if (plan === undefined) return { lacks: 'code' };
  const planId = /^\d{1,9}$/.test(plan) ? Number(plan) : plan;
  return { path: '/api/v1/vend/data', body: { ...common, planId } };
}
