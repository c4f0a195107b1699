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
  sample: {
    network: 'GIFTCARD',
    msisdn: '',
    planCode: '300002',
    faceValue: 39_783_75n,
    goods: {
      reference_code: 'SBX-2F61D90A77',
      cards: [{ card_number: 'TEST-1234-5678-9012', pin: '123456' }],
    },
    title: 'Amazon US USD 25',
  },
  storyPrefixes: [],
} as const satisfies OrderRecord;
