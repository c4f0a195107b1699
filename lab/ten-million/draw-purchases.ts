/** The loaded purchases and their providers' answers, drawn from a seed. */
import type { Environment } from '../../src/core/environment.ts';
import { idsAt } from '../../src/core/ids.ts';
import { applyDiscount } from '../../src/core/money.ts';
import type { AcceptItem } from '../../src/purchases/engine/accept-store.ts';
import type { ResolveEffect, ResolveItem } from '../../src/purchases/engine/resolve-store.ts';
import { purchaseDelivered } from '../../src/wallet/ledger/chart-of-accounts.ts';
import { aSale } from '../../test/support/a-sale.ts';
import type { Seeded } from '../../test/support/seeded.ts';
import { providers, type Seller } from './sellers.ts';

/** The product of all networks except the rare one. */
export const COMMON_NETWORKS: readonly string[] = ['MTN', 'GLO', 'AIRTEL'];
/** Bought by the first purchases only. */
export const RARE_NETWORK = '9MOBILE';
const FACE_VALUES = [50_00n, 100_00n, 200_00n, 500_00n, 1_000_00n];
const FAILED = 0.05;
const UNKNOWN = 0.015;
const LATENCY_MS = 900;

export type Bought = {
  readonly item: AcceptItem;
  readonly seller: Seller;
  readonly provider: string;
  readonly cost: bigint;
};

/** Accepted within the second before `at`, and sent immediately. */
export function drawPurchase(
  chance: Seeded,
  seller: Seller,
  at: Date,
  networks: readonly string[] = COMMON_NETWORKS,
): Bought {
  const { environment } = seller;
  const [provider, commission] = chance.pick(providers[environment]);
  const createdAt = new Date(at.getTime() - chance.whole(80, LATENCY_MS));
  const id = idsAt(() => createdAt.getTime())();
  const recipient = `234803${chance.digits(7)}`;
  const faceValue = chance.pick(FACE_VALUES);
  const item = aSale({
    id,
    environment,
    reference: `t-${id}`,
    product: productOf(chance, environment),
    network: chance.pick(networks),
    recipient,
    faceValue,
    createdAt,
    seller,
    provider,
  });
  return { item, seller, provider, cost: applyDiscount(faceValue, commission) };
}

function productOf(chance: Seeded, environment: Environment): string {
  return environment === 'live' && chance.happens(0.3) ? 'data' : 'airtime';
}

export type Answered = {
  readonly answer: ResolveItem;
  /** The outcome is unknown: it is queried again. */
  readonly isUnknown: boolean;
};

/** The provider's answer to the call. */
export function drawAnswer(chance: Seeded, bought: Bought): Answered {
  const share = chance.draw();
  const how = share < FAILED ? 'failed' : share < FAILED + UNKNOWN ? 'unknown' : 'success';
  return { answer: say(chance, bought, how, 'purchase'), isUnknown: how === 'unknown' };
}

/** The provider's answer to a query about an unknown purchase. */
export function answerAgain(chance: Seeded, bought: Bought): ResolveItem {
  return say(chance, bought, 'success', 'query');
}

function say(
  chance: Seeded,
  bought: Bought,
  how: 'success' | 'failed' | 'unknown',
  source: ResolveItem['source'],
): ResolveItem {
  const { item, seller, provider } = bought;
  return {
    merchantId: seller.merchantId,
    environment: seller.environment,
    purchaseId: item.id,
    walletId: seller.walletId,
    network: item.network,
    attempt: 1,
    source,
    answer: {
      kind: how,
      code: how,
      message: `it said ${how}`,
      provider,
      providerId: `${provider}-${item.id.slice(-12)}`,
      latencyMs: chance.whole(80, LATENCY_MS),
    },
    effect: effectOf(bought, how),
  };
}

function effectOf({ item, seller, provider, cost }: Bought, how: string): ResolveEffect {
  if (how === 'failed') return { kind: 'fail', reason: 'refused', telcoMessage: undefined };
  if (how === 'unknown') return { kind: 'wait', dueMs: 5_000, flag: false };
  return {
    kind: 'succeed',
    telcoMessage: undefined,
    cost,
    goods: undefined,
    goodsDueMs: undefined,
    costEstimated: false,
    transfers: purchaseDelivered({
      walletAccount: seller.walletId,
      floatAccount: seller.floats.get(provider) ?? 0n,
      revenueAccount: seller.revenueId,
      charge: item.charge,
      cost,
    }),
  };
}
