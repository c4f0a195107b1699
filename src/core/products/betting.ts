/**
 * Betting: money into a customer's betting account. It cannot be reversed, and the betting
 * companies require a mobile number.
 */
import type { BillRecord } from './product-record.ts';
import { testCustomerName } from './test-rules.ts';

export const betting = {
  name: 'BETTING',
  title: 'Betting',
  kind: 'bill',
  networks: 'billers',
  plans: 'bill',
  customer: {
    // Most are numbers of no fixed length; user names are taken too.
    customerId: /^[A-Za-z0-9]{1,30}$/,
    customerIdText: 'a betting account id: 1 to 30 letters and digits and nothing else',
    phone: 'required',
    noun: 'betting customer',
    numberLabel: 'Account number',
    sent: 'the betting customer id',
    facts: ['username', 'minAmount', 'maxAmount'],
  },
  networkText: 'a betting network such as "BET9JA"',
  networkExample: 'BET9JA',
  takesKobo: false,
  hasMeterKinds: false,
  isEnabledAtFirst: false,
  isSealed: false,
  testCustomers: [
    {
      id: 'TESTBET001',
      customer: { name: testCustomerName, username: 'testbet001' },
      brings: 'receipt',
    },
  ],
  sample: {
    network: 'BET9JA',
    msisdn: 'TESTBET001',
    planCode: '2201',
    faceValue: 500_00n,
    goods: { customer_name: 'TEST CUSTOMER' },
    refusal: 'The account is not known',
    facts: { customer_username: 'testbet001', min_amount: '100.00', max_amount: '1000000.00' },
  },
  storyPrefixes: ['TESTBET'],
} as const satisfies BillRecord;
