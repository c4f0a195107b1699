/** Travel eSIMs: a profile that a phone installs. Anyone with its code can install it. */
import type { OrderRecord } from './product-record.ts';

export const esim = {
  name: 'ESIM',
  title: 'eSIM',
  kind: 'order',
  networks: 'own',
  plans: 'esim',
  owes: { goods: 'iccid', plans: 'all' },
  isCounted: false,
  isEnabledAtFirst: false,
  isSealed: true,
  // A real eSIM is allocated shortly after its order.
  testStory: '110',
} as const satisfies OrderRecord;
