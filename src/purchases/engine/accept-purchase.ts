/**
 * Accept: stores a priced purchase with its hold and first attempt in one transaction. Guarantees:
 * when it resolves, the purchase is committed. When it throws, nothing was stored, except for
 * `outcome_unknown`: then the reference must be looked up.
 */

import type { Clock } from '../../core/clock.ts';
import { GatewayError, invariant, isRefusal } from '../../core/errors.ts';
import type { IdSource } from '../../core/ids.ts';
import type { BillAmount } from '../../core/products/bill-amount.ts';
import { isConnectionLost, isUnavailable } from '../../db/database-errors.ts';
import type { SealedDestination } from '../../notifications/messages/destination.ts';
import type { Provider } from '../../providers/provider.ts';
import type { PurchaseMode, PurchaseRequest, PurchaseStatus } from '../state/purchase.ts';
import type { PurchaseDetails, RouteChoice } from '../state/purchase-details.ts';
import type {
  AcceptItem,
  AcceptVerdict,
  OverCapVerdict,
  PurchaseRefusal,
  VoucherPayment,
} from './accept-store.ts';

export type Acceptor = {
  readonly commits: { accept(item: AcceptItem): Promise<AcceptVerdict> };
  readonly providers: ReadonlyMap<string, Provider>;
  readonly clock: Clock;
  readonly newId: IdSource;
};

/**
 * The stored purchase: in progress, or failed at once because of its balance, a spend cap or a
 * refusal.
 */
export type Accepted = {
  readonly item: AcceptItem;
  readonly outcome: 'funded' | 'insufficient' | 'refused' | OverCapVerdict;
};

/** How long an accept is repeated after its answer was lost. */
const ASK_AGAIN_MS = 5_000;

export function acceptPurchase(
  acceptor: Acceptor,
  priced: PricedRequest,
  mode: PurchaseMode,
  refusal?: PurchaseRefusal,
  keep?: (purchaseId: string) => SealedDestination | undefined,
): Promise<Accepted> {
  return store(acceptor, toItem(acceptor, priced, mode, refusal, keep));
}

function toAccepted(item: AcceptItem, verdict: AcceptVerdict): Accepted {
  switch (verdict.kind) {
    case 'accepted':
      return { item, outcome: 'funded' };
    case 'insufficient':
      return { item, outcome: 'insufficient' };
    case 'refused':
      return { item, outcome: 'refused' };
    case 'over_purchase_cap':
    case 'over_daily_cap':
      return { item, outcome: verdict };
    case 'voucher_gone':
      throw new GatewayError({ code: 'no_such_voucher' });
    case 'no_wallet':
      throw new GatewayError({ code: 'no_wallet_to_pay', currency: 'NGN' });
    case 'duplicate':
      throw duplicateReference(item.reference, verdict.firstId, verdict.status);
  }
}

function toItem(
  acceptor: Acceptor,
  priced: PricedRequest,
  mode: PurchaseMode,
  refusal: PurchaseRefusal | undefined,
  keep: ((purchaseId: string) => SealedDestination | undefined) | undefined,
): AcceptItem {
  const { request } = priced;
  const now = acceptor.clock.now();
  const id = acceptor.newId();
  return {
    id,
    merchantId: request.principal.merchant.id,
    environment: request.principal.environment,
    reference: request.reference,
    product: request.product,
    network: request.network,
    planCode: priced.planCode,
    msisdn: request.msisdn,
    recipient: request.recipient,
    faceValue: request.faceValue,
    charge: priced.charge,
    walletId: priced.walletId,
    mode,
    route: priced.route,
    details: withChoice(priced),
    credentialId: request.principal.credentialId,
    createdAt: now,
    refusal,
    attempt: mode !== 'async' && refusal === undefined ? firstAttempt(acceptor, priced, now) : undefined,
    delivery: keep?.(id),
    voucher: priced.voucher,
    capped: request.principal.capped,
  };
}

/** Stores why the first provider was chosen. */
function withChoice({ details, choices, route }: PricedRequest): PurchaseDetails | undefined {
  const choice = choices?.get(route[0] ?? '');
  return choice === undefined ? details : { ...details, choice };
}

function firstAttempt(
  acceptor: Acceptor,
  { request, route, details }: PricedRequest,
  now: Date,
): AcceptItem['attempt'] {
  const { principal, reference, product, network } = request;
  const name = route[0] ?? '';
  const provider = acceptor.providers.get(name);
  invariant(provider !== undefined, 'a priced purchase is routed to configured providers');
  const { environment } = principal;
  const purchase = { environment, merchantId: principal.merchant.id, reference };
  const bought = { product, network, codes: details?.planCodes?.[name] };
  return {
    provider: name,
    account: provider.account,
    reference: provider.mintReference(now, purchase, bought),
  };
}

async function store(acceptor: Acceptor, item: AcceptItem): Promise<Accepted> {
  let doubtedAtMs: number | undefined;
  for (;;) {
    try {
      const verdict = await acceptor.commits.accept(item);
      // Our own id has the reference: an earlier attempt to store it succeeded, and only its answer
      // was lost.
      if (verdict.kind === 'duplicate' && verdict.firstId === item.id) {
        if (verdict.status !== 'failed') return { item, outcome: 'funded' };
        // The status contains the reason of the failure.
        if (item.capped === true) throw unsettled(item.reference, item.id);
        return { item, outcome: item.refusal === undefined ? 'insufficient' : 'refused' };
      }
      return toAccepted(item, verdict);
    } catch (error) {
      const full = isRefusal(error, 'purchases_full');
      const unavailable = full || isUnavailable(error);
      if (unavailable && doubtedAtMs === undefined)
        throw full ? error : new GatewayError({ code: 'purchase_not_stored' });
      if (!unavailable && !isConnectionLost(error)) throw error;
      doubtedAtMs ??= acceptor.clock.elapsedMs();
      if (acceptor.clock.elapsedMs() - doubtedAtMs > ASK_AGAIN_MS) throw unsettled(item.reference, item.id);
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  }
}

/** The purchase may exist, but this is unknown. Only its status shows whether it does. */
export function unsettled(reference: string, purchaseId: string): GatewayError {
  return new GatewayError({ code: 'outcome_unknown', reference, purchaseId });
}

/** The reference was used before, by this purchase. */
export function duplicateReference(
  reference: string,
  purchaseId: string,
  status: PurchaseStatus,
): GatewayError {
  return new GatewayError({ code: 'reference_used', role: 'reference', reference, purchaseId, status });
}

/**
 * A purchase that may be attempted: priced, with its wallet and the providers that can serve it.
 */
export type PricedRequest = {
  readonly request: PurchaseRequest;
  readonly walletId: bigint;
  readonly charge: bigint;
  /** The plan's code as stored. Absent for airtime. */
  readonly planCode: string | undefined;
  readonly details: PurchaseDetails | undefined;
  /**
   * The limits of a bill's plan, which the customer's own limits narrow. Absent for airtime and
   * data.
   */
  readonly billAmount: BillAmount | undefined;
  /** The voucher that pays instead of the wallet, if any. */
  readonly voucher?: VoucherPayment;
  /** Never empty. */
  readonly route: readonly string[];
  /** The reason for each provider's place in the route, if a strategy chose. */
  readonly choices?: ReadonlyMap<string, RouteChoice>;
};
