/** Gift cards: codes of a brand, one or several of one value. Anyone with a code can spend it. */
import type { OrderRecord } from './product-record.ts';

export const giftCard = {
  name: 'GIFTCARD',
  title: 'Gift card',
  kind: 'order',
  networks: 'own',
  plans: 'giftcard',
  owes: { goods: 'cards', plans: 'all' },
  isCounted: true,
  isEnabledAtFirst: false,
  isSealed: true,
} as const satisfies OrderRecord;
