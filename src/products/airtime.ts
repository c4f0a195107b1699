/**
 * Airtime: any amount for a mobile number.
 *
 * The interface leaves the bounds of the amount open. These are the gateway's own, checked before
 * anything is stored. They are wide: they stop a wrong unit or a slip of the decimal point. The
 * provider's narrower bounds are the provider's to refuse.
 */
import type { DirectRecord } from './product-record.ts';
import { mobileTestNumbers } from './test-rules.ts';

/** 10 naira, in kobo: less than any recharge sold, so what lies below is in the wrong unit. */
const MIN = 1_000n;

/** 500,000 naira, in kobo: more than one line is recharged with, and a slip that can be borne. */
const MAX = 50_000_000n;

export const airtime = {
  name: 'airtime',
  kind: 'direct',
  networks: 'mobile',
  plans: 'none',
  amounts: { min: MIN, max: MAX },
  isEnabledAtFirst: true,
  isSealed: false,
  testNumbers: mobileTestNumbers,
} as const satisfies DirectRecord;
