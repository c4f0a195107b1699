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
  sample: {
    network: 'ESIM',
    msisdn: '',
    planCode: 'NG-1GB-7D',
    faceValue: 3_469_15n,
    goods: {
      reference_code: 'SBX-7A10C3D5E2',
      iccid: '8923400123456789012',
      activation_code: '3C5D1B0A99F24E77A610',
      smdp_address: 'smdp.esim.example',
      lpa: 'LPA:1$smdp.esim.example$3C5D1B0A99F24E77A610',
      redemption_instructions: 'Scan the QR code under Settings, Mobile Data, Add eSIM.',
    },
    title: 'Nigeria 1 GB 7 days',
  },
  storyPrefixes: [],
} as const satisfies OrderRecord;
