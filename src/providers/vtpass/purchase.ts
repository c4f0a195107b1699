/**
 * Turns an order into the body of `POST /pay`, and a customer into the body of `POST
 * /merchant-verify`. Pure. Sources: VTpass's pages on each product. The plan's codes name the
 * biller; there is no table of billers here.
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

/** The bills that are not for a mobile number, and so need one beside the customer's id. */
export const phonedBills: ReadonlySet<string> = new Set(
  [...bills].flatMap(([product, { phoneOf }]) => (phoneOf === undefined ? [product] : [])),
);

/** `contactPhone` stands in for a customer who gave none: VTpass takes no bill without a phone. */
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
  // VTpass takes the price from the variation, except that 9mobile's plans are sold by amount. So
  // the amount is always sent.
  const amount = formatAmount(order.amount);
  return {
    body: { request_id: order.reference, serviceID, billersCode: phone, variation_code, amount, phone },
  };
}

/** The body of `POST /merchant-verify`; undefined where the plan has no code at VTpass. */
export function toVerification(query: CustomerQuery): Fields | undefined {
  const serviceID = query.planCodes?.service_id;
  if (serviceID === undefined) return undefined;
  return bills.get(query.product)?.toVerification(query, { billersCode: query.recipient, serviceID });
}
