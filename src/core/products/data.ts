/** Data: a plan of a mobile network for a mobile number, at the plan's price. */
import { dataKinds } from './plan-kind.ts';
import type { DirectRecord } from './product-record.ts';
import { mobileTestNumbers } from './test-rules.ts';

export const data = {
  name: 'data',
  title: 'Data',
  kind: 'direct',
  networks: 'mobile',
  plans: 'data',
  planKinds: dataKinds,
  isEnabledAtFirst: true,
  isSealed: false,
  testNumbers: mobileTestNumbers,
  sample: {
    network: 'MTN',
    msisdn: '08031234567',
    planCode: 'MTN-1',
    faceValue: 100_00n,
    goods: {},
    said: 'MTN payment for 2348031234567 successful',
    refusal: '2348031234567 could not be served, the network refused the request',
  },
  storyPrefixes: ['2348000000'],
} as const satisfies DirectRecord;
