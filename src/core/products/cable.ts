/** Cable TV: a bouquet, or an amount, for the smartcard of a decoder. */
import type { BillRecord } from './product-record.ts';
import { type TestCustomer, testCustomerName } from './test-rules.ts';

export const cable = {
  name: 'CABLE',
  title: 'Cable TV',
  kind: 'bill',
  networks: 'billers',
  plans: 'bill',
  customer: {
    // Ten or eleven digits on real cards, twelve on the providers' test cards.
    customerId: /^[0-9]{10,12}$/,
    customerIdText: 'a smartcard or IUC number: 10 to 12 digits and nothing else',
    phone: 'optional',
    noun: 'smartcard',
    numberLabel: 'Smartcard number',
    sent: 'the smartcard or IUC number',
    facts: ['currentBouquet', 'renewalAmount', 'dueDate', 'minAmount', 'maxAmount'],
  },
  networkText: 'DSTV, GOTV or STARTIMES',
  networkExample: 'DSTV',
  takesKobo: false,
  hasMeterKinds: false,
  isEnabledAtFirst: false,
  isSealed: false,
  testCustomers: [
    smartcard('10000000010', 'DSTV', 'DStv Compact'),
    smartcard('10000000020', 'GOTV', 'GOtv Max'),
    smartcard('10000000030', 'STARTIMES', 'StarTimes Nova'),
  ],
  sample: {
    network: 'DSTV',
    msisdn: '10000000010',
    planCode: '2101',
    faceValue: 4_400_00n,
    goods: { customer_name: 'TEST CUSTOMER' },
    refusal: 'The smartcard number is not known',
    facts: { current_bouquet: 'DStv Compact', renewal_amount: '19000.00', due_date: '2026-12-21' },
  },
  storyPrefixes: ['10000000'],
} as const satisfies BillRecord;

function smartcard(id: string, network: string, currentBouquet: string): TestCustomer {
  return { id, network, customer: { name: testCustomerName, currentBouquet }, brings: 'receipt' };
}
