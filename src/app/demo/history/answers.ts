/**
 * What providers answer in the played week, in their words: a purchase has its answers in order,
 * and the last one again and again.
 */
import { BASIS_POINTS_WHOLE } from '../../../kernel/money.ts';
import type { Seeded } from '../../../kernel/seeded.ts';
import type { Goods, ProviderAnswer } from '../../../providers/provider.ts';
import { lacksGoods, type VendInHand } from '../../../vending/vend/vend-in-hand.ts';

type Answer = (vend: VendInHand, seeded: Seeded) => ProviderAnswer;
export type Fate = readonly [Answer, ...Answer[]];

/** What a provider keeps of the face value, in basis points, by product. */
const commissions: Readonly<Record<string, number>> = {
  airtime: 320,
  data: 350,
  ELECTRICITY: 130,
  CABLE: 150,
  BETTING: 60,
  EDUCATION: 250,
};

const delivered: Answer = (vend, seeded) => ({
  kind: 'success',
  code: '000',
  message: 'delivered',
  providerId: `${vend.attempt.provider}-${seeded.digits(12)}`,
  ...costOf(vend),
  ...goodsOf(vend, seeded),
});

/** Delivered, and the token is not there yet. */
const deliveredWithoutGoods: Answer = (vend, seeded) => {
  const { goods: _owed, ...answer } = delivered(vend, seeded) as Extract<ProviderAnswer, { kind: 'success' }>;
  return answer;
};

const refused: Answer = (vend, seeded) => {
  const words = seeded.pick(
    vend.product === 'airtime' || vend.product === 'data'
      ? ['The number is barred for recharge', 'Subscriber not found', 'The plan is not for this line']
      : ['The biller declined the payment', 'The account cannot be paid at the moment'],
  );
  return { kind: 'failed', fault: 'order', code: '016', message: words, telcoMessage: words };
};

/** By a fault of its own: another provider may take it. */
const providerDown: Answer = () => ({
  kind: 'failed',
  fault: 'provider',
  code: '030',
  message: 'the biller is not reachable at the moment',
});

const timedOut: Answer = () => ({ kind: 'unknown', code: 'timeout', message: 'no answer within 30 s' });
const workingOnIt: Answer = () => ({
  kind: 'accepted',
  code: '099',
  message: 'the transaction is processing',
});

export const fates = {
  delivered: [delivered],
  refused: [refused],
  providerDown: [providerDown, delivered],
  everybodyDown: [providerDown],
  timedOut: [timedOut, timedOut, delivered],
  timedOutAndRefused: [timedOut, refused],
  slow: [workingOnIt, delivered],
  lateGoods: [deliveredWithoutGoods, deliveredWithoutGoods, delivered],
  owedGoods: [deliveredWithoutGoods],
  neverAnswered: [timedOut],
  inDoubt: [workingOnIt],
} satisfies Record<string, Fate>;

/** Most are delivered. `isDown`: whether the first provider has its bad hour. */
export function drawFate(seeded: Seeded, product: string, isDown: boolean): Fate {
  if (isDown && seeded.happens(0.7)) return fates.providerDown;
  const chance = seeded.draw();
  if (chance < 0.028) return fates.refused;
  if (chance < 0.043) return fates.providerDown;
  if (chance < 0.046) return fates.everybodyDown;
  if (chance < 0.056) return fates.timedOut;
  if (chance < 0.059) return fates.timedOutAndRefused;
  if (chance < 0.07) return fates.slow;
  return product === 'ELECTRICITY' && chance < 0.09 ? fates.lateGoods : fates.delivered;
}

function costOf({ product, faceValue, details }: VendInHand): { readonly cost?: bigint } {
  const kept = commissions[product];
  if (kept !== undefined)
    return { cost: (faceValue * (BASIS_POINTS_WHOLE - BigInt(kept))) / BASIS_POINTS_WHOLE };
  return details?.cost === undefined ? {} : { cost: BigInt(details.cost) };
}

function goodsOf(vend: VendInHand, seeded: Seeded): { readonly goods?: Goods } {
  if (!lacksGoods(vend, undefined)) return {};
  const count = vend.details?.item?.quantity ?? 1;
  switch (vend.details?.goodsOwed) {
    case 'token': {
      const units = (Number(vend.faceValue) / 22_500).toFixed(1);
      return { goods: { token: seeded.digits(20), units } };
    }
    case 'pins':
      return { goods: { pins: [{ serial: `WRN${seeded.digits(9)}`, pin: seeded.digits(12) }] } };
    case 'cards': {
      const cards = Array.from({ length: count }, () => ({
        card_number: seeded.digits(16),
        pin: seeded.digits(6),
      }));
      return { goods: { cards, reference_code: seeded.digits(9) } };
    }
    default: {
      const code = `K2-${seeded.digits(6)}-${seeded.digits(8)}`;
      return {
        goods: {
          iccid: `89${seeded.digits(17)}`,
          activation_code: code,
          smdp_address: 'rsp.example.com',
          lpa: `LPA:1$rsp.example.com$${code}`,
          redemption_instructions: 'Scan the QR code in the settings of the phone.',
          reference_code: `B${seeded.digits(14)}`,
        },
      };
    }
  }
}
