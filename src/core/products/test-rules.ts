/**
 * The customers that test credentials can buy for, with the goods they bring, as data. The provider
 * of test credentials plays them, and docs/merchants/test-numbers.md lists them.
 */
import type { Customer } from './customer.ts';

export type TestNumber = {
  /** As merchants write it. */
  readonly number: string;
  /** The story that it plays, as in test-stories.ts. */
  readonly story: string;
};

/**
 * Short numbers of five stories, for every product that is bought for a mobile number. They are in
 * an unassigned range. Any number that plays no story is delivered at once.
 */
export const mobileTestNumbers: readonly TestNumber[] = [
  { number: '08000000001', story: '101' },
  { number: '08000000002', story: '110' },
  { number: '08000000003', story: '111' },
  { number: '08000000004', story: '120' },
  { number: '08000000005', story: '121' },
];

/** A customer for whom test credentials can pay a bill. */
export type TestCustomer = {
  /** The biller's id of the customer, as merchants send it. */
  readonly id: string;
  /** Absent if no customer is verified. */
  readonly customer?: Customer;
  /** The only network that knows the customer; absent if every network of the product does. */
  readonly network?: string;
  /** The plans that the customer's meter can be paid by. */
  readonly meterKind?: 'prepaid' | 'postpaid';
  readonly brings: 'token' | 'token and key change' | 'debt cleared' | 'receipt' | 'serial and PIN' | 'PIN';
};

export const testCustomerName = 'TEST CUSTOMER';
