/**
 * Resolve: the only way in which information about a purchase takes effect, whether it comes from
 * the request, the worker, a query or a person. Guarantees: an answer and its decision are stored
 * in one transaction. Resolving a final purchase again does nothing. An answer that contradicts a
 * final outcome is refused, recorded and raised as an alarm. While the database is away an answer
 * is kept and stored later. If the process dies first, the purchase is still pending and will be
 * queried.
 */

import type { Guards } from '../../catalog/margins/guards.ts';
import type { Clock } from '../../core/clock.ts';
import { type Environment, environments } from '../../core/environment.ts';
import { invariant } from '../../core/errors.ts';
import type { Logger } from '../../core/log.ts';
import { isSealed } from '../../core/products/registry.ts';
import type { Sealer } from '../../core/sealing.ts';
import { isConnectionLost, isUnavailable } from '../../db/database-errors.ts';
import type { Goods, Provider, ProviderAnswer } from '../../providers/provider.ts';
import {
  floatAccount,
  purchaseDelivered,
  revenueAccount,
  voucherSettled,
  vouchersAccount,
} from '../../wallet/ledger/chart-of-accounts.ts';
import type { HouseAccounts } from '../../wallet/ledger/house-accounts.ts';
import {
  lacksGoods,
  type PurchaseInHand,
  progressOf,
  type UnsentPatience,
} from '../state/purchase-in-hand.ts';
import { decidePurchase, type PurchaseDecision } from '../state/purchase-policy.ts';
import type { TimedAnswer } from './attempt-purchase.ts';
import { guardedRoute } from './guarded-route.ts';
import type {
  AnswerSource,
  ResolveEffect,
  ResolveItem,
  ResolveVerdict,
  VoucherSettlement,
} from './resolve-store.ts';
import { goodsPlace } from './sealed-goods.ts';
import type { SendingLock } from './sending-lock.ts';

export type Resolver = {
  readonly commits: { resolve(item: ResolveItem): Promise<ResolveVerdict> };
  readonly providers: ReadonlyMap<string, Provider>;
  readonly clock: Clock;
  readonly guards: Guards;
  readonly restoreLock: SendingLock;
  readonly log: Logger;
  /** For the goods of orders. */
  readonly sealer: Pick<Sealer, 'seal'>;
  /**
   * How long a purchase waits for its goods before it becomes a success without them, in
   * milliseconds. An order of gift cards succeeds only with its cards.
   */
  readonly fulfilmentMs: number;
  readonly unsentMs: UnsentPatience;
  /** The factor of waiting times. Absent: 1. */
  readonly timeScale?: number | undefined;
  /**
   * The house accounts of the ledger. Those of every provider and environment are loaded at start.
   */
  readonly houseAccounts: {
    float(provider: string, environment: Environment): bigint;
    revenue(environment: Environment): bigint;
    vouchers(environment: Environment): bigint;
  };
  /** A purchase became final. */
  readonly onFinal: (purchase: PurchaseInHand, effect: ResolveEffect, status: 'success' | 'failed') => void;
  readonly onContradiction: (purchase: PurchaseInHand) => void;
};

export type Resolution = { readonly verdict: ResolveVerdict; readonly effect: ResolveEffect };

/** How long an answer waits for the database before it is dropped and left to a later query. */
const KEEP_ANSWER_MS = 60_000;
/** The wait before a provider is queried again about a purchase that may not end yet. */
const LOCKED_MS = 30_000;

export async function resolvePurchase(
  resolver: Resolver,
  purchase: PurchaseInHand,
  source: AnswerSource,
  { answer, askedAtMs, latencyMs }: TimedAnswer,
): Promise<Resolution> {
  const provider = resolver.providers.get(purchase.attempt.provider);
  const goodsMissing = answer.kind === 'success' && lacksGoods(purchase, answer.goods);
  // The purchase goes to no provider that would sell it at a loss, if its guard is `stop`.
  const route = guardedRoute(resolver.guards, purchase, purchase.route);
  // As of the query and not as of now, because "not found" proves nothing about the time since.
  const decision = decidePurchase(answer, goodsMissing, progressOf(purchase, askedAtMs, route), {
    notFoundGraceMs: provider?.notFoundGraceMs ?? Number.POSITIVE_INFINITY,
    fulfilmentMs: purchase.details?.goodsOwed === 'cards' ? Number.POSITIVE_INFINITY : resolver.fulfilmentMs,
    unsentMs: resolver.unsentMs[purchase.mode],
    timeScale: resolver.timeScale,
  });
  const effect = toEffect(resolver, purchase, answer, held(resolver, purchase, answer, decision));
  const item: ResolveItem = {
    merchantId: purchase.merchantId,
    environment: purchase.environment,
    purchaseId: purchase.purchaseId,
    walletId: purchase.walletId,
    network: purchase.network,
    attempt: purchase.attempts,
    source,
    answer: {
      kind: kindOf(answer),
      code: answer.code,
      message: answer.message,
      provider: purchase.attempt.provider,
      providerId: answer.providerId,
      latencyMs,
    },
    effect,
  };
  let verdict: ResolveVerdict;
  try {
    verdict = await resolver.commits.resolve(item);
  } catch (error) {
    verdict = await storeAgain(resolver, item, error);
  }
  const resolution = { verdict, effect };
  report(resolver, purchase, resolution);
  return resolution;
}

/**
 * While the restore lock is active only deliveries count. A later attempt that is unknown here may
 * have delivered what this attempt was refused for, so the purchase is queried again. When the lock
 * is removed, a purchase made before it ends with the refusal and goes to no other provider.
 */
function held(
  { restoreLock }: Resolver,
  purchase: PurchaseInHand,
  answer: ProviderAnswer,
  decision: PurchaseDecision,
): PurchaseDecision {
  if (purchase.final || (decision.effect !== 'fail' && decision.effect !== 'retry')) return decision;
  if (restoreLock.isUp(purchase.environment)) return { effect: 'wait', dueMs: LOCKED_MS, flag: false };
  if (decision.effect === 'fail' || !restoreLock.isBefore(purchase)) return decision;
  return { effect: 'fail', reason: answer.kind === 'not_sent' ? 'not_sent' : 'refused' };
}

/** "Delivered, but not what was ordered" is stored as evidence of a delivery. */
function kindOf(answer: ProviderAnswer): ProviderAnswer['kind'] {
  return answer.kind === 'unknown' && answer.delivered ? 'success' : answer.kind;
}

function toEffect(
  resolver: Resolver,
  purchase: PurchaseInHand,
  answer: ProviderAnswer,
  decision: PurchaseDecision,
): ResolveEffect {
  switch (decision.effect) {
    case 'succeed': {
      const success = answer.kind === 'success' ? answer : undefined;
      return deliveredEffect(resolver, purchase, {
        cost: success?.cost,
        goods: success?.goods,
        telcoMessage: answer.telcoMessage,
        goodsDueMs: decision.goodsMissing ? decision.dueMs : undefined,
      });
    }
    case 'fail':
      return {
        kind: 'fail',
        reason: decision.reason,
        telcoMessage: answer.telcoMessage,
        voucher: settleVoucher(resolver, purchase, 'failed'),
      };
    case 'wait':
      return { kind: 'wait', dueMs: decision.dueMs, flag: decision.flag };
    case 'retry':
      return { kind: 'retry', dueMs: decision.dueMs, provider: decision.provider };
  }
}

/** The goods that the purchase must bring. */
export type DeliveredPurchase = Pick<
  PurchaseInHand,
  'purchaseId' | 'environment' | 'walletId' | 'product' | 'faceValue' | 'charge' | 'details'
> & { readonly attempt: Pick<PurchaseInHand['attempt'], 'provider'> };

/** Returns the effect of a success: with all of its goods, unless `goodsDueMs` is set. */
export function deliveredEffect(
  resolver: Pick<Resolver, 'houseAccounts' | 'sealer'>,
  purchase: DeliveredPurchase,
  delivered: {
    readonly cost?: bigint | undefined;
    readonly goods: Goods | undefined;
    readonly telcoMessage?: string | undefined;
    readonly goodsDueMs?: number | undefined;
  },
): Extract<ResolveEffect, { kind: 'succeed' }> {
  // If the provider does not state its charge, the list price is used until its statement is
  // reconciled.
  const cost = delivered.cost ?? estimatedCost(purchase);
  const { goods, sealed } = sealGoods(resolver, purchase, delivered.goods);
  return {
    kind: 'succeed',
    telcoMessage: delivered.telcoMessage,
    cost,
    goods,
    sealed,
    goodsDueMs: delivered.goodsDueMs,
    costEstimated: delivered.cost === undefined,
    transfers: purchaseDelivered({
      walletAccount: purchase.walletId,
      floatAccount: resolver.houseAccounts.float(purchase.attempt.provider, purchase.environment),
      revenueAccount: resolver.houseAccounts.revenue(purchase.environment),
      charge: purchase.charge,
      cost,
    }),
    voucher: settleVoucher(resolver, purchase, 'success'),
  };
}

/** The end of the voucher that paid, with no transfers if nothing of it is left. */
export function settleVoucher(
  { houseAccounts }: Pick<Resolver, 'houseAccounts'>,
  { details, charge, walletId, environment }: DeliveredPurchase,
  status: 'success' | 'failed',
): VoucherSettlement | undefined {
  const voucher = details?.voucher;
  if (voucher === undefined) return undefined;
  const transfers = voucherSettled(
    { status, value: BigInt(voucher.value), charge },
    { walletAccount: walletId, vouchersAccount: houseAccounts.vouchers(environment) },
  );
  return { settleId: voucher.settleId, transfers };
}

function estimatedCost(purchase: DeliveredPurchase): bigint {
  return purchase.details?.cost === undefined ? purchase.faceValue : BigInt(purchase.details.cost);
}

/**
 * Only the provider's reference is stored in the clear. Anyone who holds the other sealed values
 * can spend them.
 */
function sealGoods(
  { sealer }: Pick<Resolver, 'sealer'>,
  purchase: DeliveredPurchase,
  goods: Goods | undefined,
): { goods: Goods | undefined; sealed?: string } {
  if (goods === undefined || !isSealed(purchase.product)) return { goods };
  const { reference_code: reference } = goods;
  return {
    goods: reference === undefined ? undefined : { reference_code: reference },
    sealed: sealer.seal(goodsPlace(purchase.purchaseId), JSON.stringify(goods)),
  };
}

/** Stores an answer after `error`, as long as the database may come back. */
async function storeAgain(resolver: Resolver, item: ResolveItem, error: unknown): Promise<ResolveVerdict> {
  const failedAtMs = resolver.clock.elapsedMs();
  let failure = error;
  for (let pauseMs = 50; ; pauseMs = Math.min(pauseMs * 2, 1_000)) {
    const passing = isUnavailable(failure) || isConnectionLost(failure);
    if (!passing || resolver.clock.elapsedMs() - failedAtMs > KEEP_ANSWER_MS) throw failure;
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
    try {
      // Safe to repeat if it was stored: the second time has no effect.
      return await resolver.commits.resolve(item);
    } catch (again) {
      failure = again;
    }
  }
}

function report(resolver: Resolver, purchase: PurchaseInHand, { verdict, effect }: Resolution): void {
  if (verdict.kind === 'done' && verdict.status !== undefined) {
    resolver.onFinal(purchase, effect, verdict.status);
  } else if (verdict.kind === 'contradiction') {
    resolver.onContradiction(purchase);
    resolver.log.error(
      {
        purchase: purchase.purchaseId,
        provider: purchase.attempt.provider,
        final: verdict.status,
        effect: effect.kind,
      },
      'an answer contradicts the final outcome of a purchase',
    );
  }
}

export type DeliveryAccounts = Resolver['houseAccounts'] & {
  /** Looks up the accounts of one more provider. */
  learn(provider: string): Promise<void>;
};

/** Looks up the accounts of each of `providers`, by name. */
export async function findDeliveryAccounts(
  houseAccounts: HouseAccounts,
  providers: Iterable<string>,
): Promise<DeliveryAccounts> {
  const floats = new Map<string, bigint>();
  const revenues = new Map<Environment, bigint>();
  const vouchers = new Map<Environment, bigint>();
  for (const environment of environments) {
    revenues.set(environment, await houseAccounts.houseAccountId(revenueAccount(environment, 'NGN')));
    vouchers.set(environment, await houseAccounts.houseAccountId(vouchersAccount(environment, 'NGN')));
  }
  const learn = async (name: string): Promise<void> => {
    for (const environment of environments) {
      const account = floatAccount(name, environment, 'NGN');
      floats.set(`${name}/${environment}`, await houseAccounts.houseAccountId(account));
    }
  };
  for (const name of providers) await learn(name);
  const known = (id: bigint | undefined): bigint => {
    invariant(id !== undefined, 'a delivering provider has its accounts');
    return id;
  };
  return {
    learn,
    float: (provider, environment) => known(floats.get(`${provider}/${environment}`)),
    revenue: (environment) => known(revenues.get(environment)),
    vouchers: (environment) => known(vouchers.get(environment)),
  };
}
