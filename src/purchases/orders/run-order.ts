/**
 * Runs one order of a gift card or an eSIM from request to answer. The request calls the provider
 * and waits for a bounded time. An order that is not final by then is answered as pending and
 * continues in the background, on the path of every purchase.
 */
import type { KeyObject } from 'node:crypto';
import { type Caller, stayingCaller } from '../../core/caller.ts';
import { assertNever, GatewayError, invariant } from '../../core/errors.ts';
import type { IdSource } from '../../core/ids.ts';
import { giftCard } from '../../core/products/gift-card.ts';
import { withTimeout } from '../../core/with-timeout.ts';
import { tellUnavailable } from '../../db/answer-soon.ts';
import type { Sql } from '../../db/database.ts';
import { sealDestination } from '../../notifications/messages/destination.ts';
import { voucherRedeemed } from '../../wallet/ledger/chart-of-accounts.ts';
import { hashVoucherCode } from '../../wallet/vouchers/voucher-code.ts';
import { findVoucherByCode } from '../../wallet/vouchers/voucher-store.ts';
import {
  attemptAndResolve,
  failedAtOnce,
  inPlace,
  pendingState,
  type Runner,
  refuseRepeated,
  requireSelling,
  routeByWait,
  toPurchase,
} from '../create/run-purchase.ts';
import { acceptPurchase, type PricedRequest } from '../engine/accept-purchase.ts';
import type { Resolver } from '../engine/resolve-purchase.ts';
import { findPurchaseById } from '../history/purchase-store.ts';
import type { Purchase } from '../state/purchase.ts';
import { takeAccepted } from '../state/purchase-in-hand.ts';
import type { Availability, CheckAvailability } from './check-availability.ts';
import type { CheckFloat } from './check-float.ts';
import { type Order, type OrderRequest, readOrder } from './order.ts';
import { type OrderJudge, priceOrder } from './price-order.ts';

export type OrderRunner = Runner &
  OrderJudge &
  VoucherDependencies & {
    readonly checkAvailability: CheckAvailability;
    readonly checkFloat: CheckFloat;
    /** How long a request waits for its own call, in milliseconds. */
    readonly orderWaitMs: number;
  };

/** Throws GatewayError as a sync purchase does, and `card_not_available`. */
export async function runOrder(
  runner: OrderRunner,
  request: OrderRequest,
  caller: Caller = stayingCaller,
): Promise<Order> {
  await requireSelling(runner, request);
  return await inPlace(runner, request.principal, caller, () => placeOrder(runner, request));
}

async function placeOrder(runner: OrderRunner, request: OrderRequest): Promise<Order> {
  const startedAtMs = runner.clock.elapsedMs();
  const priced = priceOrder(runner, request);
  // The reference is looked up before the stock is queried.
  await refuseRepeated(runner, request);
  const routed = await routeByWait(runner, request, priced);
  await requireStock(runner, request, routed);
  const judged = await payByVoucher(runner, request, routed).catch(tellUnavailable);
  const { destination } = request;
  const keep = (purchaseId: string) =>
    destination &&
    sealDestination(destination, purchaseId, (place, plain) => runner.sealer.seal(place, plain));
  const accepted = await acceptPurchase(runner, judged, 'order', undefined, keep);
  if (runner.failpoints.active) await runner.failpoints.reach('after-accept');
  const { item } = accepted;
  const shown = (purchase: Purchase): Order => ({
    ...purchase,
    title: request.plan.title,
    quantity: item.details?.item?.quantity ?? 1,
  });
  if (accepted.outcome !== 'funded') {
    return shown(failedAtOnce(runner, judged.request, accepted));
  }
  const own = attemptAndResolve(runner, takeAccepted(item, startedAtMs));
  await withTimeout(runner.orderWaitMs - (runner.clock.elapsedMs() - startedAtMs), own);
  try {
    const stored = await findPurchaseById(runner.sql, item.merchantId, item.environment, item.id);
    if (stored !== undefined) return await readOrder(runner, stored);
  } catch (error) {
    // The order is stored. If it cannot be read back, the caller is told to look it up, never that
    // it does not exist.
    runner.log.warn(
      { err: error, purchase: item.id },
      'an order could not be read back; answered as pending',
    );
  }
  return shown(toPurchase(judged.request, item, pendingState));
}

/** If a card is not available, or its provider cannot sell it now, nothing is stored. */
async function requireStock(
  { checkAvailability, checkFloat }: OrderRunner,
  request: OrderRequest,
  judged: PricedRequest,
): Promise<void> {
  if (request.product !== giftCard.name) return;
  const { principal, plan, faceValue } = request;
  const [availability] = await Promise.all([
    checkAvailability({
      principal,
      plan,
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

export type VoucherDependencies = {
  readonly sql: Sql;
  readonly pepper: KeyObject;
  readonly newId: IdSource;
  readonly houseAccounts: Pick<Resolver['houseAccounts'], 'vouchers'>;
};

/**
 * The same order with its voucher. Whether the voucher is redeemed or cancelled is checked when the
 * order is accepted, because a repeated order must be recognised first. Throws GatewayError:
 * `no_such_voucher`, `plan_above_voucher`.
 */
async function payByVoucher(
  dependencies: VoucherDependencies,
  request: OrderRequest,
  judged: PricedRequest,
): Promise<PricedRequest> {
  if (request.voucherCode === undefined) return judged;
  const { merchant, environment } = request.principal;
  const codeHash = hashVoucherCode(dependencies.pepper, environment, request.voucherCode);
  const voucher = await findVoucherByCode(
    dependencies.sql,
    { merchantId: merchant.id, environment },
    codeHash,
  );
  if (voucher === undefined) throw new GatewayError({ code: 'no_such_voucher' });
  const { charge, walletId } = judged;
  if (voucher.value < charge) {
    throw new GatewayError({ code: 'plan_above_voucher', role: 'plan', price: charge, value: voucher.value });
  }
  invariant(charge > 0n, 'no plan is for nothing');
  const settleId = dependencies.newId();
  return {
    ...judged,
    details: { ...judged.details, voucher: { id: voucher.id, settleId, value: String(voucher.value) } },
    voucher: {
      id: voucher.id,
      redeemId: dependencies.newId(),
      settleId,
      transfers: voucherRedeemed({
        walletAccount: walletId,
        vouchersAccount: dependencies.houseAccounts.vouchers(environment),
        amount: charge,
      }),
    },
  };
}
