/**
 * What test credentials can buy and what happens then: identifiers and their scenarios, as data.
 * The provider of test credentials plays them, and docs/merchants/test-numbers.md lists them.
 */
import type { Customer } from './customer.ts';

/** What happens to a purchase for a test number; any other number is delivered at once. */
export type TestScenario =
  | 'refused'
  | 'accepted, then delivered'
  | 'accepted, then refused'
  | 'delivered, answer lost'
  | 'lost before delivery';

export type TestNumber = {
  /** As merchants write it. */
  readonly number: string;
  readonly scenario: TestScenario;
};

/** For every product that is bought for a mobile number. They are in a range that nobody has. */
export const mobileTestNumbers: readonly TestNumber[] = [
  { number: '08000000001', scenario: 'refused' },
  { number: '08000000002', scenario: 'accepted, then delivered' },
  { number: '08000000003', scenario: 'accepted, then refused' },
  { number: '08000000004', scenario: 'delivered, answer lost' },
  { number: '08000000005', scenario: 'lost before delivery' },
];

/** A customer for whom test credentials can pay a bill. */
export type TestCustomer = {
  /** The biller's id of the customer, as merchants send it. */
  readonly id: string;
  /** Absent where nobody is verified. */
  readonly customer?: Customer;
  /** The only network that knows the customer; absent where every network of the product does. */
  readonly network?: string;
  /** The plans that the customer's meter can be paid by. */
  readonly meterKind?: 'prepaid' | 'postpaid';
  readonly brings: 'token' | 'token and key change' | 'debt cleared' | 'receipt' | 'serial and PIN' | 'PIN';
};

export const testCustomerName = 'TEST CUSTOMER';
