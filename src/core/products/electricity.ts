/**
 * Electricity: a payment to a meter (prepaid) or an account (postpaid). A prepaid one brings a
 * token.
 *
 * The check digits of meter numbers are not checked. Account numbers have none, and a meter with
 * wrong check digits may still exist.
 */
import type { BillRecord } from './product-record.ts';
import { type TestCustomer, testCustomerName } from './test-rules.ts';

export const electricity = {
  name: 'ELECTRICITY',
  title: 'Electricity',
  kind: 'bill',
  networks: 'billers',
  plans: 'bill',
  customer: {
    // Meters have 11 digits, or 13 with a long maker's code (IEC 62055-41). Account numbers begin
    // at six, and some billers print them in parts: IBEDC 12/34/56/7890-01, Eko 1234567890-01.
    customerId: /^(?:[0-9]{6,13}|(?=.{6,24}$)[0-9]+(?:\/[0-9]+)*(?:\/[0-9]+|-[0-9]{2}))$/,
    customerIdText:
      'a meter or account number as the biller prints it: 6 to 13 digits, or in parts such as 12/34/56/7890-01',
    phone: 'optional',
    noun: 'meter',
    numberLabel: 'Meter number',
    sent: 'the meter number',
    facts: [
      'address',
      'minAmount',
      'maxAmount',
      'meterNumber',
      'arrears',
      'accountType',
      'meterType',
      'district',
      'businessUnit',
      'districtReference',
      'tariff',
    ],
  },
  networkText: 'an electricity network such as "Ikeja Electric" or "EKEDC"',
  networkExample: 'Ikeja Electric',
  takesKobo: true,
  hasMeterKinds: true,
  owes: { goods: 'token', plans: 'prepaid' },
  isEnabledAtFirst: false,
  isSealed: false,
  testCustomers: [
    meter('10000000001', 'prepaid', 'token'),
    meter('10000000002', 'postpaid', 'receipt'),
    meter('10000000003', 'prepaid', 'token and key change'),
    meter('10000000004', 'prepaid', 'debt cleared'),
  ],
  sample: {
    network: 'Ikeja Electric',
    msisdn: '10000000001',
    planCode: '2001',
    faceValue: 5_000_00n,
    goods: { token: '12345678901234567890', units: '23.8', customer_name: 'TEST CUSTOMER' },
    refusal: 'The meter number is not known',
    facts: {
      customer_address: '1 Test Close, Ikeja, Lagos',
      min_amount: '100.00',
      max_amount: '1000000.00',
      meter_number: '10000000001',
      meter_type: 'PREPAID',
    },
  },
  storyPrefixes: ['10000000'],
} as const satisfies BillRecord;

function meter(id: string, meterKind: 'prepaid' | 'postpaid', brings: TestCustomer['brings']): TestCustomer {
  return {
    id,
    meterKind,
    brings,
    customer: {
      name: testCustomerName,
      address: '1 Test Close, Ikeja, Lagos',
      minAmount: 100_00n,
      maxAmount: 1_000_000_00n,
      meterNumber: id,
      ...(brings === 'debt cleared' && { arrears: 25_000_00n }),
      accountType: 'NMD',
      meterType: meterKind.toUpperCase(),
      district: 'TEST DISTRICT',
      businessUnit: 'TEST UNIT',
      districtReference: 'TST-001',
      tariff: 'A-NON-MD',
    },
  };
}
