/** Builds the calls that buy an order and validate a customer at Flutterwave (v3). Pure. */
import { localForm } from '../../core/products/mobile-number.ts';
import type { CustomerQuery, ProviderOrder } from '../provider.ts';
import type { BillCodes, FlutterwaveBillsSettings } from './settings.ts';

export type Purchase =
  | { readonly path: string; readonly body: Readonly<Record<string, unknown>> }
  /** Flutterwave cannot serve the order. */
  | { readonly lacks: 'code' | 'whole naira' };

const KOBO_PER_NAIRA = 100n;
const PHONES: ReadonlySet<string> = new Set(['airtime', 'data']);

type Named = Pick<CustomerQuery, 'product' | 'network' | 'planCodes'>;

/** Reads the codes of the biller and its item. Undefined when one is missing. */
function codesOf(
  { product, network, planCodes }: Named,
  airtime: FlutterwaveBillsSettings['airtime'],
): BillCodes | undefined {
  if (product === 'airtime') return airtime.get(network);
  const { biller_code: billerCode, item_code: itemCode, meter_type: kind } = planCodes ?? {};
  if (billerCode === undefined || itemCode === undefined) return undefined;
  // Without the kind of the meter it is not known whether a token is owed.
  return product === 'ELECTRICITY' && kind !== 'prepaid' && kind !== 'postpaid'
    ? undefined
    : { billerCode, itemCode };
}

export function toPurchase(
  order: ProviderOrder,
  { airtime, callbackUrl }: Pick<FlutterwaveBillsSettings, 'airtime' | 'callbackUrl'>,
): Purchase {
  const codes = codesOf(order, airtime);
  if (codes === undefined) return { lacks: 'code' };
  if (order.amount % KOBO_PER_NAIRA !== 0n) return { lacks: 'whole naira' };
  const [biller, item] = [codes.billerCode, codes.itemCode].map(encodeURIComponent);
  return {
    path: `/billers/${biller}/items/${item}/payment`,
    body: {
      country: 'NG',
      customer_id: PHONES.has(order.product) ? localForm(order.recipient) : order.recipient,
      amount: Number(order.amount / KOBO_PER_NAIRA),
      reference: order.reference,
      ...(callbackUrl !== undefined && { callback_url: callbackUrl }),
    },
  };
}

/** Returns the path of a validation. Undefined when the plan's codes are missing. */
export function toValidation(query: CustomerQuery): string | undefined {
  const codes = codesOf(query, new Map());
  if (codes === undefined) return undefined;
  const asked = new URLSearchParams({ code: codes.billerCode, customer: query.recipient });
  return `/bill-items/${encodeURIComponent(codes.itemCode)}/validate?${asked}`;
}
