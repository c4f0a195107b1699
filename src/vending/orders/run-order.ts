/**
 * One order of a gift card or an eSIM from request to answer. The request makes the call itself and
 * waits for it a bounded time; an order that is not final by then is answered as pending and goes
 * on in the background, on the path of every vend.
 */
import type { KeyObject } from 'node:crypto';
import { tellUnavailable } from '../../db/answer-soon.ts';
import { type Caller, stayingCaller } from '../../kernel/caller.ts';
import { assertNever, GatewayError } from '../../kernel/errors.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import { within } from '../../kernel/within.ts';
import { type Destination, sealDestination } from '../../messages/destination.ts';
import { giftCard } from '../../products/gift-card.ts';
import { findVendById, findVendByReference } from '../history/vend-store.ts';
import { acceptVend, duplicateReference } from '../path/accept-vend.ts';
import type { JudgedRequest } from '../path/judged-request.ts';
import {
  attemptAndResolve,
  failedAtOnce,
  inPlace,
  pendingState,
  type Runner,
  routeByWait,
  takeInHand,
  toVend,
} from '../purchases/run-vend.ts';
import type { Vend } from '../vend/vend.ts';
import type { Availability, CheckAvailability } from './check-availability.ts';
import type { CheckFloat } from './check-float.ts';
import { readOrder } from './find-order.ts';
import { judgeOrder, type OrderJudge } from './judge-order.ts';
import type { Order, OrderRequest } from './order.ts';
import { payByVoucher } from './pay-by-voucher.ts';

export type OrderRunner = Runner & {
  readonly orders: {
    readonly judge: OrderJudge;
    readonly checkAvailability: CheckAvailability;
    readonly checkFloat: CheckFloat;
    readonly sealer: Sealer;
    readonly pepper: KeyObject;
    /** How long a request waits for its own call, in milliseconds. */
    readonly waitMs: number;
  };
};

/** Throws GatewayError as a sync vend does, and `card_not_available`. */
export async function runOrder(
  runner: OrderRunner,
  request: OrderRequest,
  caller: Caller = stayingCaller,
): Promise<Order> {
  return await inPlace(runner, request.principal, caller, () => placeOrder(runner, request));
}

async function placeOrder(runner: OrderRunner, request: OrderRequest): Promise<Order> {
  const startedAtMs = runner.clock.elapsedMs();
  const { orders } = runner;
  const priced = judgeOrder(orders.judge, request);
  await refuseDuplicate(runner, request).catch(tellUnavailable);
  const routed = await routeByWait(runner, request, priced).catch(tellUnavailable);
  await requireStock(orders, request, routed);
  const vouchers = {
    sql: runner.sql,
    pepper: orders.pepper,
    newId: runner.acceptor.newId,
    houseAccounts: runner.resolver.houseAccounts,
  };
  const judged = await payByVoucher(vouchers, request, routed).catch(tellUnavailable);
  const { destination } = request;
  const keep = (vendId: string) => destination && storeSealed(orders.sealer, destination, vendId);
  const accepted = await acceptVend(runner.acceptor, judged, 'order', undefined, keep);
  await runner.stopPoints.reach('after-accept');
  const { item } = accepted;
  const shown = (vend: Vend): Order => ({
    ...vend,
    title: request.plan.title,
    quantity: item.details?.item?.quantity ?? 1,
  });
  if (accepted.outcome !== 'funded') {
    return shown(failedAtOnce(runner, judged.request, accepted));
  }
  const own = attemptAndResolve(runner, takeInHand(item, startedAtMs));
  runner.track(own);
  await within(orders.waitMs - (runner.clock.elapsedMs() - startedAtMs), own);
  try {
    const stored = await findVendById(runner.sql, item.merchantId, item.environment, item.id);
    if (stored !== undefined) return await readOrder({ sql: runner.sql, sealer: orders.sealer }, stored);
  } catch (error) {
    // It is stored, whatever the database does now: its caller is told to look it up, never that it
    // is not there.
    runner.log.warn({ err: error, vend: item.id }, 'an order could not be read back; answered as pending');
  }
  return shown(toVend(judged.request, item, pendingState));
}

/**
 * The key is looked at before anybody is asked about stock; `acceptVend` has the last word on it.
 */
async function refuseDuplicate(runner: OrderRunner, { principal, reference }: OrderRequest): Promise<void> {
  const owner = { merchantId: principal.merchant.id, environment: principal.environment };
  const first = await findVendByReference(runner.sql, owner, reference);
  if (first !== undefined) throw duplicateReference(reference, first.id, first.status);
}

/** Where a card is not to be had, or its provider cannot sell it now, nothing is stored. */
async function requireStock(
  { checkAvailability, checkFloat }: OrderRunner['orders'],
  request: OrderRequest,
  judged: JudgedRequest,
): Promise<void> {
  if (request.product !== giftCard.name) return;
  const { principal, plan, quantity, faceValue } = request;
  const [availability] = await Promise.all([
    checkAvailability({
      principal,
      plan,
      quantity,
      faceValue,
      isPurchase: true,
      route: judged.route,
      story: judged.details?.story,
    }),
    checkFloat(judged),
  ]);
  refuseUnavailable(availability);
}

function refuseUnavailable({ fulfillment, detail }: Availability): void {
  switch (fulfillment) {
    case 'immediate':
    case 'standard':
      return;
    case 'out_of_stock':
    case 'preorder':
      throw new GatewayError({ code: 'card_not_available', role: 'plan', fulfillment, detail });
    default:
      assertNever(fulfillment);
  }
}

function storeSealed(sealer: Sealer, destination: Destination, vendId: string) {
  return sealDestination(destination, vendId, (place, plain) => sealer.seal(place, plain));
}
