/**
 * Airtime: any amount for a mobile number.
 *
 * The interface gives no limits of the amount. These are the gateway's own, checked before anything
 * is stored. They are wide, and stop only a wrong unit or a misplaced decimal point. A provider
 * with narrower limits refuses by itself.
 */
import { airtimeKinds } from './plan-kind.ts';
import type { DirectRecord } from './product-record.ts';
import { mobileTestNumbers } from './test-rules.ts';

/**
 * 10 naira, in kobo. The minimum of every network is higher, so a lower amount must be in the wrong
 * unit.
 */
const MIN = 1_000n;

/**
 * 500,000 naira, in kobo. No line is ever recharged with more, and a mistake of this size is
 * affordable.
 */
const MAX = 50_000_000n;

export const airtime = {
  name: 'airtime',
  title: 'Airtime',
  kind: 'direct',
  networks: 'mobile',
  plans: 'none',
  planKinds: airtimeKinds,
  amounts: { min: MIN, max: MAX },
  isEnabledAtFirst: true,
  isSealed: false,
  testNumbers: mobileTestNumbers,
  sample: {
    network: 'MTN',
    msisdn: '08031234567',
    faceValue: 100_00n,
    goods: {},
    said: 'MTN payment for 2348031234567 successful',
    refusal: '2348031234567 could not be served, the network refused the request',
  },
  storyPrefixes: ['2348000000'],
} as const satisfies DirectRecord;
