/**
 * Builds the calls that buy an order, query it and check a customer at BuyPower (v2). Pure. The
 * plan's codes name the biller.
 */
import { localForm } from '../../core/products/mobile-number.ts';
import type { CustomerQuery, ProviderOrder } from '../provider.ts';
import type { BuypowerSettings } from './settings.ts';

export type Purchase =
  | { readonly body: Readonly<Record<string, string>> }
  /** BuyPower cannot serve the order. */
  | { readonly lacks: 'code' | 'phone' | 'whole naira' };

type Bill = { readonly vertical: string; readonly disco: string; readonly vendType: string };

const KOBO_PER_NAIRA = 100n;

/** Reads the codes of the biller. Undefined when one is missing. */
function billOf({ product, planCodes }: Pick<CustomerQuery, 'product' | 'planCodes'>): Bill | undefined {
  const { disco, vend_type: vendType } = planCodes ?? {};
  if (disco === undefined) return undefined;
  if (product === 'ELECTRICITY') {
    return vendType === 'PREPAID' || vendType === 'POSTPAID'
      ? { vertical: 'ELECTRICITY', disco, vendType }
      : undefined;
  }
  return product === 'CABLE' ? { vertical: 'TV', disco, vendType: 'PREPAID' } : undefined;
}

export function toPurchase(
  order: ProviderOrder,
  settings: Pick<BuypowerSettings, 'contactEmail' | 'contactPhone' | 'businessName'>,
): Purchase {
  const bill = billOf(order);
  const tariffClass = order.planCodes?.tariff_class;
  if (bill === undefined || (bill.vertical === 'TV' && tariffClass === undefined)) return { lacks: 'code' };
  if (order.amount % KOBO_PER_NAIRA !== 0n) return { lacks: 'whole naira' };
  const phone = order.phone ?? settings.contactPhone;
  if (phone === undefined) return { lacks: 'phone' };
  return {
    body: {
      orderId: order.reference,
      meter: order.recipient,
      ...bill,
      paymentType: 'B2B',
      amount: String(order.amount / KOBO_PER_NAIRA),
      phone: localForm(phone),
      email: settings.contactEmail,
      name: order.customer?.name || settings.businessName,
      ...(tariffClass !== undefined && { tariffClass }),
    },
  };
}

/** Returns the path of the query of an order. */
export function toQuery(reference: string, queryPath: BuypowerSettings['queryPath']): string {
  return queryPath === 'vend'
    ? `/vend?${new URLSearchParams({ orderId: reference, getLastResponse: 'true' })}`
    : `/transaction/${encodeURIComponent(reference)}`;
}

/** Returns the path of the check of a customer. Undefined when the plan's codes are missing. */
export function toCheck(query: CustomerQuery): string | undefined {
  const bill = billOf(query);
  if (bill === undefined) return undefined;
  return `/check/meter?${new URLSearchParams({ meter: query.recipient, ...bill, orderId: 'false' })}`;
}

/** Tells whether the order owes a token. */
export function owesToken({ product, planCodes }: Pick<ProviderOrder, 'product' | 'planCodes'>): boolean {
  return product === 'ELECTRICITY' && planCodes?.vend_type === 'PREPAID';
}
