/**
 * Runs one purchase from request to answer. Sync and async differ only in who calls the provider:
 * the request itself or a worker. A client that hangs up changes nothing: once accepted, the
 * purchase continues to its end.
 */

import { type Caller, stayingCaller } from '../../core/caller.ts';
import type { Environment } from '../../core/environment.ts';
import { GatewayError, invariant } from '../../core/errors.ts';
import type { FairGate, Place } from '../../core/fair-gate.ts';
import type { InFlight } from '../../core/in-flight.ts';
import { isBillProduct } from '../../core/products/product.ts';
import { isSealed } from '../../core/products/registry.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Sql } from '../../db/database.ts';
import { type Principal, sharerOf } from '../../merchants/merchant.ts';
import type { PricedRequest } from '../engine/accept-purchase.ts';
import {
  type Accepted,
  type Acceptor,
  acceptPurchase,
  duplicateReference,
  unsettled,
} from '../engine/accept-purchase.ts';
import type { AcceptItem } from '../engine/accept-store.ts';
import { type Attempter, attemptPurchase } from '../engine/attempt-purchase.ts';
import type { IdempotencyLookup } from '../engine/idempotency-lookup.ts';
import type { OutcomeWaiters } from '../engine/outcome-waiters.ts';
import { isOpen, waitMsOf } from '../engine/provider-room.ts';
import type { PurchaseEvents } from '../engine/purchase-events.ts';
import { type Resolver, resolvePurchase } from '../engine/resolve-purchase.ts';
import type { ResolveEffect } from '../engine/resolve-store.ts';
import type { PurchaseLock } from '../engine/sending-lock.ts';
import { openPurchase } from '../goods/open-purchase.ts';
import { findPurchaseById } from '../history/purchase-store.ts';
import type { Purchase, PurchaseMode, PurchaseRequest, PurchaseState } from '../state/purchase.ts';
import { type PurchaseInHand, takeAccepted } from '../state/purchase-in-hand.ts';
import { type Judge, priceRequest } from './price-request.ts';
import type { CustomerAsker } from './verify-customer.ts';
import {
  type CustomerRequest,
  type CustomerVerification,
  checkBillCustomer,
  verifyBillCustomer,
} from './verify-customer.ts';

export type Runner = Acceptor &
  Attempter &
  Resolver &
  Judge &
  CustomerAsker & {
    readonly sql: Sql;
    readonly restoreLock: PurchaseLock;
    readonly idempotencyLookup: Pick<IdempotencyLookup, 'find'>;
    /** For the goods of purchases. */
    readonly sealer: Pick<Sealer, 'open' | 'seal'>;
    readonly waiters: OutcomeWaiters;
    /** How long a sync request waits for the outcome, in milliseconds. */
    readonly syncDeadlineMs: number;
    /** The slots for purchases, orders and verifications in progress. */
    readonly places: FairGate<Environment>;
    /** The slots for sync purchases that wait for an outcome from elsewhere. */
    readonly awaiting: FairGate<Environment>;
    /** The maximum wait for a provider with which a purchase is still accepted. */
    readonly syncWaitMs: number;
    /** There is work for the worker. */
    readonly wakeWorker: (provider: string | undefined) => void;
    /** The work of this process that must end before shutdown. */
    readonly underWay: InFlight;
    readonly onUnfunded: PurchaseEvents['onUnfunded'];
    readonly onRefused: PurchaseEvents['onRefused'];
  };

export async function runPurchase(
  runner: Runner,
  request: PurchaseRequest,
  mode: PurchaseMode,
  caller: Caller = stayingCaller,
): Promise<Purchase> {
  const recalling = requireSelling(runner, request);
  if (recalling !== undefined) await recalling;
  const leave = takePlace(runner, request.principal);
  let endWatch = (): void => undefined;
  try {
    const startedAtMs = runner.clock.elapsedMs();
    const accepted = await priceAndAccept(runner, request, mode);
    // A purchase that waits to be accepted keeps its place, so no merchant can fill the queue.
    endWatch = caller.onGone(leave);
    if (runner.failpoints.active) await runner.failpoints.reach('after-accept');
    if (accepted.outcome !== 'funded') return failedAtOnce(runner, request, accepted);
    if (mode !== 'async') {
      return await finishInRequest(runner, request, accepted.item, { caller, leave, startedAtMs });
    }
    runner.wakeWorker(accepted.item.route[0]);
    return toPurchase(request, accepted.item, pendingState);
  } finally {
    endWatch();
    leave();
  }
}

/** Takes a slot of the merchant's share. Throws GatewayError `requests_full`. */
function takePlace({ places }: Pick<Runner, 'places'>, principal: Principal): Place {
  const leave = places.tryEnter(sharerOf(principal));
  if (leave === undefined) throw new GatewayError({ code: 'requests_full' });
  return leave;
}

/**
 * Await the result, if any, before a purchase. While the restore lock is active nothing is sold. A
 * purchase that was entered during the lock first gets its merchant's reference, so that a
 * repetition is recognised. Throws GatewayError `purchases_locked`.
 */
export function requireSelling(
  { restoreLock }: Pick<Runner, 'restoreLock'>,
  { principal, reference }: Pick<PurchaseRequest, 'principal' | 'reference'>,
): Promise<void> | undefined {
  const { merchant, environment } = principal;
  if (restoreLock.isUp(environment)) throw new GatewayError({ code: 'purchases_locked' });
  return restoreLock.recall({ merchantId: merchant.id, environment, reference });
}

/** Verifies a customer for a merchant, in one of the slots for purchases. */
export async function verifyInRequest(
  runner: Judge & CustomerAsker & Pick<Runner, 'underWay' | 'places'>,
  request: CustomerRequest,
  caller: Caller = stayingCaller,
): Promise<CustomerVerification> {
  return await inPlace(runner, request.principal, caller, async () => {
    const verifying = verifyBillCustomer(runner, request);
    // An error is reported to the caller below.
    runner.underWay.add(verifying);
    return await verifying;
  });
}

/**
 * Runs `work` in a slot of the merchant's share. The slot is released when the work ends or the
 * client disconnects. Throws GatewayError `requests_full`.
 */
export async function inPlace<T>(
  runner: Pick<Runner, 'places'>,
  principal: Principal,
  caller: Caller,
  work: () => Promise<T>,
): Promise<T> {
  const leave = takePlace(runner, principal);
  const endWatch = caller.onGone(leave);
  try {
    return await work();
  } finally {
    endWatch();
    leave();
  }
}

function priceAndAccept(runner: Runner, request: PurchaseRequest, mode: PurchaseMode): Promise<Accepted> {
  const priced = priceRequest(runner, request, mode);
  const goesNow = mode === 'async' || takesSoon(runner, priced.route[0], request.principal);
  return goesNow && !isBillProduct(request.product)
    ? acceptPurchase(runner, priced, mode)
    : routeAndAccept(runner, priced, mode, goesNow);
}

async function routeAndAccept(
  runner: Runner,
  priced: PricedRequest,
  mode: PurchaseMode,
  goesNow: boolean,
): Promise<Accepted> {
  const { request } = priced;
  const routed = goesNow ? priced : await routeByWait(runner, request, priced);
  if (!isBillProduct(request.product)) return await acceptPurchase(runner, routed, mode);
  // Before the biller is queried, because a repeated purchase must not reach it.
  await refuseRepeated(runner, request);
  const checking = checkBillCustomer(runner, routed);
  // An error is reported to the caller below.
  runner.underWay.add(checking);
  const checked = await checking;
  const stillSold = withoutPaused(runner, checked.judged);
  return await acceptPurchase(runner, stillSold, mode, checked.refusal);
}

/** Throws GatewayError `reference_used`. `acceptPurchase` has the final say. */
export async function refuseRepeated(
  { idempotencyLookup }: Pick<Runner, 'idempotencyLookup'>,
  { principal, reference }: Pick<PurchaseRequest, 'principal' | 'reference'>,
): Promise<void> {
  const { merchant, environment } = principal;
  const first = await idempotencyLookup.find({ merchantId: merchant.id, environment, reference });
  if (first !== undefined) throw duplicateReference(reference, first.id, first.status);
}

/** Verifying a customer takes seconds. Meanwhile a provider of the route may be paused. */
function withoutPaused({ routes }: Pick<Judge, 'routes'>, judged: PricedRequest): PricedRequest {
  const { product, network } = judged.request;
  const route = judged.route.filter((name) => !routes.isPaused(name, product, network));
  if (route.length === 0) throw new GatewayError({ code: 'selling_paused', product, network });
  return { ...judged, route };
}

function takesSoon(
  { providers, syncWaitMs }: Runner,
  name: string | undefined,
  { merchant }: Principal,
): boolean {
  if (name === undefined) return false;
  const provider = providers.get(name);
  return isOpen(provider) && waitMsOf(provider, merchant.id) <= syncWaitMs;
}

/**
 * Chooses the first provider of the route that can send it soon. If none can, the purchase is
 * refused before it is stored.
 */
export async function routeByWait(
  runner: Runner,
  request: Pick<PurchaseRequest, 'principal' | 'reference'>,
  judged: PricedRequest,
): Promise<PricedRequest> {
  const { providers, syncWaitMs } = runner;
  const waits = judged.route.map((name) => ({
    name,
    isOpen: isOpen(providers.get(name)),
    ms: waitMsOf(providers.get(name), request.principal.merchant.id),
  }));
  const soon = waits.filter(({ ms }) => ms <= syncWaitMs);
  const chosen = soon.find((wait) => wait.isOpen) ?? soon[0];
  if (chosen !== undefined) {
    return { ...judged, route: [chosen.name, ...judged.route.filter((name) => name !== chosen.name)] };
  }
  await refuseRepeated(runner, request);
  const firstFreeMs = Math.min(...waits.map(({ ms }) => ms));
  throw new GatewayError({ code: 'providers_busy', freeAfterMs: firstFreeMs - syncWaitMs + 1_000 });
}

async function finishInRequest(
  runner: Runner,
  request: PurchaseRequest,
  item: AcceptItem,
  {
    caller,
    leave,
    startedAtMs,
  }: { readonly caller: Caller; readonly leave: Place; readonly startedAtMs: number },
): Promise<Purchase> {
  // As of the time before the commit, which may have taken long.
  const purchase = takeAccepted(item, startedAtMs);
  const leftMs = runner.syncDeadlineMs - (runner.clock.elapsedMs() - startedAtMs);
  const own = attemptAndResolve(runner, purchase, leave);
  const enter = (): Place | undefined => runner.awaiting.tryEnter(sharerOf(request.principal));
  const outcome = await runner.waiters.wait(purchase, own, { leftMs, enter, caller });
  if (outcome === 'deadline') throw unsettled(item.reference, item.id);
  if (outcome !== 'final-elsewhere') {
    const purchase = toPurchase(request, item, outcome);
    return isSealed(purchase.product) ? await opened(runner, purchase) : purchase;
  }
  const { merchantId, environment, id } = item;
  const stored = await findPurchaseById(runner.sql, merchantId, environment, id).catch((error: unknown) => {
    throw unread(runner, item, error);
  });
  invariant(stored !== undefined && stored.status !== 'pending', 'a finished purchase is on record');
  return await opened(runner, stored);
}

async function opened(runner: Runner, purchase: Purchase): Promise<Purchase> {
  try {
    return await openPurchase(runner, purchase);
  } catch (error) {
    throw unread(runner, purchase, error);
  }
}

/**
 * The purchase is stored. If it cannot be read back, the caller is told to look it up, never that
 * it does not exist.
 */
function unread(
  { log }: Pick<Runner, 'log'>,
  { reference, id }: Pick<Purchase, 'reference' | 'id'>,
  error: unknown,
): GatewayError {
  log.warn({ err: error, purchase: id }, 'a purchase could not be read back');
  return unsettled(reference, id);
}

/**
 * Sends the purchase and stores the answer. Returns its final state, or undefined when the purchase
 * continues without this request. Never rejects. `leave` releases the slot of the request. The slot
 * is held during this work, but not while an outcome from elsewhere is awaited.
 */
export async function attemptAndResolve(
  runner: Runner,
  purchase: PurchaseInHand,
  leave?: Place,
): Promise<PurchaseState | undefined> {
  runner.underWay.begin();
  try {
    const answer = await attemptPurchase(runner, purchase);
    const { verdict, effect } = await resolvePurchase(runner, purchase, 'purchase', answer);
    if (verdict.kind === 'done') return stateOf(effect);
    if (effect.kind === 'retry' && verdict.kind === 'waiting') runner.wakeWorker(effect.provider);
  } catch (error) {
    // Still pending in the database, and will be queried.
    runner.log.error(
      { err: error, purchase: purchase.purchaseId },
      'a purchase could not be resolved by its request',
    );
  } finally {
    leave?.();
    runner.underWay.end();
  }
  return undefined;
}

export const pendingState: PurchaseState = {
  status: 'pending',
  reason: undefined,
  telcoMessage: undefined,
  goods: {},
};

function stateOf(effect: ResolveEffect): PurchaseState | undefined {
  switch (effect.kind) {
    case 'succeed':
      return {
        status: 'success',
        reason: 'delivered',
        telcoMessage: effect.telcoMessage,
        goods: effect.goods ?? {},
      };
    case 'fail':
      return {
        status: 'failed',
        reason: effect.reason,
        telcoMessage: effect.telcoMessage,
        goods: {},
      };
    default:
      return undefined;
  }
}

/** A purchase that failed when it was accepted: counted, and in the form of the answer. */
export function failedAtOnce(
  runner: Pick<Runner, 'onUnfunded' | 'onRefused'>,
  request: PurchaseRequest,
  { item, outcome }: Accepted,
): Purchase {
  const failed = { ...pendingState, status: 'failed' as const };
  if (typeof outcome === 'object') {
    runner.onRefused(item, outcome.kind);
    const { kind: reason, cap, left } = outcome;
    return toPurchase(request, item, { ...failed, reason, overCap: { cap, left } });
  }
  const reason = item.refusal?.reason ?? 'insufficient_funds';
  if (item.refusal === undefined) runner.onUnfunded(item);
  else runner.onRefused(item, reason);
  return toPurchase(request, item, { ...failed, reason, telcoMessage: item.refusal?.telcoMessage });
}

export function toPurchase(request: PurchaseRequest, item: AcceptItem, state: PurchaseState): Purchase {
  return {
    id: item.id,
    merchantId: item.merchantId,
    merchantName: request.principal.merchant.name,
    environment: item.environment,
    reference: item.reference,
    product: item.product,
    network: item.network,
    planCode: item.planCode,
    sentPlan: item.details?.sentPlan,
    msisdn: item.msisdn,
    faceValue: item.faceValue,
    charge: item.charge,
    createdAt: item.createdAt,
    updatedAt: item.createdAt,
    ...state,
  };
}
