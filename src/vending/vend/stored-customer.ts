/** A verified customer as it is kept with a vend: amounts as text, since JSON has no bigint. */
import type { Customer } from '../../products/customer.ts';

type AmountField = 'minAmount' | 'maxAmount' | 'arrears' | 'renewalAmount';

export type StoredCustomer = Omit<Customer, AmountField> & { readonly [field in AmountField]?: string };

export function storeCustomer(customer: Customer): StoredCustomer {
  const { minAmount, maxAmount, arrears, renewalAmount, ...rest } = customer;
  return {
    ...rest,
    ...(minAmount !== undefined && { minAmount: String(minAmount) }),
    ...(maxAmount !== undefined && { maxAmount: String(maxAmount) }),
    ...(arrears !== undefined && { arrears: String(arrears) }),
    ...(renewalAmount !== undefined && { renewalAmount: String(renewalAmount) }),
  };
}

export function readCustomer(stored: StoredCustomer): Customer {
  const { minAmount, maxAmount, arrears, renewalAmount, ...rest } = stored;
  return {
    ...rest,
    ...(minAmount !== undefined && { minAmount: BigInt(minAmount) }),
    ...(maxAmount !== undefined && { maxAmount: BigInt(maxAmount) }),
    ...(arrears !== undefined && { arrears: BigInt(arrears) }),
    ...(renewalAmount !== undefined && { renewalAmount: BigInt(renewalAmount) }),
  };
}
