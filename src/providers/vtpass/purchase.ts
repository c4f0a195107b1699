/**
 * Turns an order into the body of `POST /pay`, and a customer into the body of `POST
 * /merchant-verify`. Pure. Sources: VTpass's pages on each product. The plan's codes name the
 * biller; there is no table of billers here.
 */
import { formatAmount } from '../../kernel/money.ts';
import type { CustomerQuery, ProviderOrder } from '../provider.ts';

type Fields = Readonly<Record<string, string>>;

export type Purchase =
  | { readonly body: Fields }
  /** VTpass cannot be asked for it. */
  | { readonly lacks: 'code' | 'phone' }
  /** VTpass takes a renewal at the amount due only, in kobo. */
  | { readonly amountDue: bigint };

const AIRTIME_SERVICES: ReadonlyMap<string, string> = new Map([
  ['MTN', 'mtn'],
  ['GLO', 'glo'],
  ['AIRTEL', 'airtel'],
  ['9MOBILE', 'etisalat'],
]);

/** `contactPhone` stands in for a customer who gave none: VTpass takes no bill without a phone. */
export function toPurchase(order: ProviderOrder, contactPhone: string | undefined): Purchase {
  if (order.product === 'airtime') return airtime(order);
  const serviceID = order.planCodes?.service_id;
  if (serviceID === undefined) return { lacks: 'code' };
  if (order.product === 'data') return data(order, serviceID);
  const phone = order.phone ?? contactPhone;
  if (phone === undefined) return { lacks: 'phone' };
  const common = {
    request_id: order.reference,
    serviceID,
    billersCode: order.recipient,
    amount: formatAmount(order.amount),
    phone: localForm(phone),
  };
  if (order.product === 'ELECTRICITY') return electricity(order, common);
  return order.product === 'CABLE' ? cable(order, common) : { lacks: 'code' };
}

function airtime(order: ProviderOrder): Purchase {
  const serviceID = AIRTIME_SERVICES.get(order.network);
  if (serviceID === undefined) return { lacks: 'code' };
  const amount = formatAmount(order.amount);
  return { body: { request_id: order.reference, serviceID, amount, phone: localForm(order.recipient) } };
}

function data(order: ProviderOrder, serviceID: string): Purchase {
  const variation_code = order.planCodes?.variation_code;
  if (variation_code === undefined) return { lacks: 'code' };
  const phone = localForm(order.recipient);
  // VTpass takes the price from the variation, except that 9mobile's plans are sold by amount. So
  // the amount is always sent.
  const amount = formatAmount(order.amount);
  return {
    body: { request_id: order.reference, serviceID, billersCode: phone, variation_code, amount, phone },
  };
}

function electricity(order: ProviderOrder, common: Fields): Purchase {
  const variation_code = meterKindOf(order);
  return variation_code === undefined ? { lacks: 'code' } : { body: { ...common, variation_code } };
}

/**
 * DSTV and GOtv are bought by a change of bouquet or a renewal of the present one; StarTimes by the
 * bouquet alone.
 */
function cable(order: ProviderOrder, common: Fields): Purchase {
  const { variation_code, subscription_type } = order.planCodes ?? {};
  if (subscription_type === 'renew') return renewal(order, common);
  if (variation_code === undefined) return { lacks: 'code' };
  if (!BY_SUBSCRIPTION.has(common.serviceID ?? '')) return { body: { ...common, variation_code } };
  return isDueNow(order, variation_code)
    ? renewal(order, common)
    : { body: { ...common, subscription_type: 'change', variation_code, quantity: '1' } };
}

const BY_SUBSCRIPTION: ReadonlySet<string> = new Set(['dstv', 'gotv']);

function renewal(order: ProviderOrder, common: Fields): Purchase {
  const due = order.customer?.renewalAmount;
  if (due !== undefined && due !== order.amount) return { amountDue: due };
  return { body: { ...common, subscription_type: 'renew', quantity: '1' } };
}

/** Whether the customer has this very bouquet and owes this very amount for it. */
function isDueNow({ customer, amount }: ProviderOrder, variation_code: string): boolean {
  return customer?.currentBouquetCode === variation_code && customer.renewalAmount === amount;
}

/** The body of `POST /merchant-verify`; undefined where the plan has no code at VTpass. */
export function toVerification(query: CustomerQuery): Fields | undefined {
  const serviceID = query.planCodes?.service_id;
  if (serviceID === undefined) return undefined;
  const common = { billersCode: query.recipient, serviceID };
  if (query.product === 'CABLE') return common;
  const type = meterKindOf(query);
  return type === undefined ? undefined : { ...common, type };
}

/** Prepaid or postpaid is the variation of an electricity service; undefined for anything else. */
export function meterKindOf({
  product,
  planCodes,
}: Pick<CustomerQuery, 'product' | 'planCodes'>): 'prepaid' | 'postpaid' | undefined {
  const kind = planCodes?.variation_code;
  return product === 'ELECTRICITY' && (kind === 'prepaid' || kind === 'postpaid') ? kind : undefined;
}

/** VTpass writes Nigerian numbers `0803…`. Anything else is left as it is. */
function localForm(recipient: string): string {
  return /^234\d{10}$/.test(recipient) ? `0${recipient.slice(3)}` : recipient;
}
