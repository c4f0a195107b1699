/**
 * Finds the errors of a bill purchase from the request and its plan only, before a provider is
 * called and before anything is stored. All errors are named, in the order of the fields. Only the
 * biller knows whether the customer exists.
 */
import type { RequestFault } from '../request-fault.ts';
import { amountLimits, type BillAmount, isWholeNaira, outsideLimits } from './bill-amount.ts';
import { hasCustomers } from './bill-recipient.ts';
import { parseMobileNumber } from './mobile-number.ts';
import type { BillProduct } from './product.ts';
import { recordOf } from './registry.ts';

export type BillRequest = {
  readonly product: BillProduct;
  /** In its canonical spelling. */
  readonly network: string;
  /** Meter, smartcard, betting account; a mobile number where the network has no customers. */
  readonly recipient: string;
  /** In kobo. */
  readonly amount: bigint;
  /** The customer's mobile, as sent. */
  readonly phone: string | undefined;
};

/** Empty if there are no errors. */
export function checkBill(
  request: BillRequest,
  plan: BillAmount & { readonly name: string },
): readonly RequestFault[] {
  return [
    ...validateBillCustomer(request),
    ...checkAmount(request, plan),
    ...checkPhone(request.product, request.phone),
  ];
}

/** Finds the errors of the id of a customer of `product`. A verification checks only this. */
export function validateBillCustomer({
  product,
  network,
  recipient,
}: Pick<BillRequest, 'product' | 'network' | 'recipient'>): readonly RequestFault[] {
  if (!hasCustomers(product, network)) {
    return parseMobileNumber(recipient) !== undefined ? [] : [{ code: 'number_malformed', network }];
  }
  const { customerId, customerIdText } = recordOf(product).customer;
  return customerId.test(recipient) ? [] : [{ code: 'customer_malformed', form: customerIdText }];
}

function checkAmount(
  { product, amount }: Pick<BillRequest, 'product' | 'amount'>,
  plan: BillAmount & { readonly name: string },
): readonly RequestFault[] {
  if (plan.amountType === 'fixed') {
    return amount === plan.price ? [] : [{ code: 'amount_not_price', plan: plan.name, price: plan.price }];
  }
  if (!recordOf(product).takesKobo && !isWholeNaira(amount)) return [{ code: 'amount_not_whole_naira' }];
  const outside = outsideLimits(amount, amountLimits(plan));
  if (outside === undefined) return [];
  return outside.bound === 'min'
    ? [{ code: 'amount_below', plan: plan.name, min: outside.amount }]
    : [{ code: 'amount_above', plan: plan.name, max: outside.amount }];
}

function checkPhone(product: BillProduct, phone: string | undefined): readonly RequestFault[] {
  if (phone === undefined) {
    return recordOf(product).customer.phone === 'optional' ? [] : [{ code: 'phone_missing', product }];
  }
  return parseMobileNumber(phone) !== undefined ? [] : [{ code: 'phone_malformed' }];
}
