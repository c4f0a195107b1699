/**
 * Finds the faults of a bill purchase from the request and its plan alone: before a provider is
 * asked, and before anything is stored. All faults are named, in the order of the fields. Only the
 * biller can say whether the customer exists.
 */
import type { FieldFault } from '../kernel/errors.ts';
import { formatAmount } from '../kernel/money.ts';
import { amountLimits, type BillAmount, outsideLimits } from './bill-amount.ts';
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

const KOBO_IN_NAIRA = 100n;

/**
 * Empty where nothing is wrong. The fields have their names on the wire: `msisdn`, `amount`,
 * `phone`.
 */
export function judgeBill(
  request: BillRequest,
  plan: BillAmount & { readonly name: string },
): readonly FieldFault[] {
  return [
    ...judgeBillCustomer(request),
    ...judgeAmount(request.amount, plan),
    ...judgePhone(request.product, request.phone),
  ];
}

/** Finds the faults of the id of a customer of `product`. A verification checks nothing else. */
export function judgeBillCustomer({
  product,
  network,
  recipient,
}: Pick<BillRequest, 'product' | 'network' | 'recipient'>): readonly FieldFault[] {
  if (!hasCustomers(product, network)) {
    return parseMobileNumber(recipient) !== undefined
      ? []
      : [
          {
            field: 'msisdn',
            message: `msisdn must be a Nigerian mobile number such as "08031234567" for ${network}`,
          },
        ];
  }
  const { customerId, customerIdText } = recordOf(product).customer;
  return customerId.test(recipient) ? [] : [{ field: 'msisdn', message: `msisdn must be ${customerIdText}` }];
}

function judgeAmount(amount: bigint, plan: BillAmount & { readonly name: string }): readonly FieldFault[] {
  const fault = (message: string): FieldFault[] => [{ field: 'amount', message }];
  if (plan.amountType === 'fixed') {
    return amount === plan.price
      ? []
      : fault(`amount must equal the price of ${plan.name}: ${formatAmount(plan.price)}`);
  }
  // Some providers take whole naira only. Whether a bill can be paid must not depend on which
  // provider serves it.
  if (amount % KOBO_IN_NAIRA !== 0n) return fault('amount must be whole naira for bills, such as "1000.00"');
  const outside = outsideLimits(amount, amountLimits(plan));
  return outside === undefined ? [] : fault(`${outside} for ${plan.name}`);
}

function judgePhone(product: BillProduct, phone: string | undefined): readonly FieldFault[] {
  if (phone === undefined) {
    return recordOf(product).customer.phone === 'optional'
      ? []
      : [{ field: 'phone', message: `phone is required for ${product}: the customer's mobile number` }];
  }
  return parseMobileNumber(phone) !== undefined
    ? []
    : [{ field: 'phone', message: 'phone must be a Nigerian mobile number such as "08031234567"' }];
}
