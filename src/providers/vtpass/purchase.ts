/**
 * Builds the bodies of `POST /pay` and `POST /merchant-verify`. Pure. Sources: VTpass's pages on
 * each product. The plan's codes name the biller.
 */
import { formatAmount } from '../../core/money.ts';
import { localForm } from '../../core/products/mobile-number.ts';
import type { CustomerQuery, ProviderOrder } from '../provider.ts';
import { bills, type Fields, type Purchase } from './bills.ts';

const AIRTIME_SERVICES: ReadonlyMap<string, string> = new Map([
  ['MTN', 'mtn'],
  ['GLO', 'glo'],
  ['AIRTEL', 'airtel'],
  ['9MOBILE', 'etisalat'],
]);

/** The bills that need a mobile number beside the customer's id. */
export const phonedBills: ReadonlySet<string> = new Set(
  [...bills].flatMap(([product, { phoneOf }]) => (phoneOf === undefined ? [product] : [])),
);

/** Builds the order. `contactPhone` replaces a missing phone, which VTpass requires for bills. */
export function toPurchase(order: ProviderOrder, contactPhone: string | undefined): Purchase {
  if (order.product === 'airtime') return airtime(order);
  const serviceID = order.planCodes?.service_id;
  if (serviceID === undefined) return { lacks: 'code' };
  if (order.product === 'data') return data(order, serviceID);
  const bill = bills.get(order.product);
  if (bill === undefined) return { lacks: 'code' };
  const phone = bill.phoneOf?.(order) ?? order.phone ?? contactPhone;
  if (phone === undefined) return { lacks: 'phone' };
  return bill.toPurchase(order, {
    request_id: order.reference,
    serviceID,
    billersCode: order.recipient,
    amount: formatAmount(order.amount),
    phone: localForm(phone),
  });
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
  // VTpass takes the price from the variation, but sells 9mobile's plans by amount. So always send
  // the amount.
  const amount = formatAmount(order.amount);
  return {
    body: { request_id: order.reference, serviceID, billersCode: phone, variation_code, amount, phone },
  };
}

/** Builds the verification. Undefined when the plan has no code at VTpass. */
export function toVerification(query: CustomerQuery): Fields | undefined {
  const serviceID = query.planCodes?.service_id;
  if (serviceID === undefined) return undefined;
  return bills.get(query.product)?.toVerification(query, { billersCode: query.recipient, serviceID });
}
