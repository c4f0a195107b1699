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
} as const satisfies DirectRecord;
