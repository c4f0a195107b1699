/**
 * Education: PINs of the examination boards. JAMB sells them to candidates, by the profile code
 * they registered; WAEC to anyone, by a mobile number. Recharge cards are sold like WAEC's PINs, by
 * a biller of the operator. Anyone who has a PIN can use it.
 */
import type { BillRecord } from './product-record.ts';
import { testCustomerName } from './test-rules.ts';

export const education = {
  name: 'EDUCATION',
  title: 'PIN',
  kind: 'bill',
  networks: 'billers',
  plans: 'bill',
  customer: {
    customerId: /^[0-9]{10}$/,
    customerIdText: 'a JAMB profile code: 10 digits and nothing else',
    customerNetworks: ['JAMB'],
    phone: 'optional',
    noun: 'JAMB profile',
    numberLabel: 'Mobile number or profile',
    sent: 'the JAMB profile code, or for WAEC the mobile number of the buyer',
    facts: [],
  },
  networkText: 'WAEC or JAMB',
  networkExample: 'JAMB',
  takesKobo: false,
  hasMeterKinds: false,
  owes: { goods: 'pins', plans: 'all' },
  isEnabledAtFirst: false,
  isSealed: true,
  testCustomers: [
    { id: '1000000001', network: 'JAMB', customer: { name: testCustomerName }, brings: 'PIN' },
    { id: '08000000010', network: 'WAEC', brings: 'serial and PIN' },
    { id: '08000000020', network: 'WAEC', brings: 'PIN' },
  ],
  sample: {
    network: 'JAMB',
    msisdn: '1000000001',
    planCode: '2303',
    faceValue: 7_700_00n,
    goods: { pins: [{ pin: '123456789012' }], customer_name: 'TEST CUSTOMER' },
    refusal: 'The profile code is not known',
  },
  // A profile of JAMB, and a mobile number for WAEC.
  storyPrefixes: ['1000000', '2348000000'],
} as const satisfies BillRecord;
