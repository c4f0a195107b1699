/**
 * A claimed purchase: the data for the call and for the decision about its answer. It is created
 * only here, from a purchase that was just accepted, or from a row that was claimed or read.
 */
import type { Environment } from '../../core/environment.ts';
import { invariant } from '../../core/errors.ts';
import type { Goods, ProviderOrder } from '../../providers/provider.ts';
import type { PurchaseMode } from './purchase.ts';
import type { PurchaseDetails } from './purchase-details.ts';
import { readCustomer } from './purchase-details.ts';
import type { Evidence, PurchaseProgress } from './purchase-policy.ts';

export type PurchaseInHand = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly purchaseId: string;
  readonly walletId: bigint;
  readonly product: string;
  readonly network: string;
  readonly recipient: string;
  readonly faceValue: bigint;
  readonly charge: bigint;
  readonly mode: PurchaseMode;
  readonly route: readonly string[];
  /** Providers that refused earlier attempts by their own fault. */
  readonly refused: readonly string[];
  readonly details: PurchaseDetails | undefined;
  /** Number of the current attempt, from 1. */
  readonly attempts: number;
  readonly queries: number;
  readonly notFound: number;
  readonly flagged: boolean;
  readonly evidence: Evidence;
  /** A success with missing goods: only they are queried. */
  readonly final: boolean;
  /** Milliseconds since the purchase was accepted, when it was claimed. */
  readonly ageMs: number;
  readonly attempt: {
    readonly provider: string;
    /** The account it is sent to. Known for one that is about to be sent. */
    readonly account?: string | undefined;
    readonly reference: string;
    readonly ageMs: number;
  };
  /** The part of the attempt's age that comes from its merchant's test clock. Absent: none. */
  readonly movedMs?: number;
  /** `Clock.elapsedMs` when it was claimed. */
  readonly takenAtMs: number;
};

/** The stored data of an accepted purchase that working on it needs. */
type AcceptedPurchase = Pick<
  PurchaseInHand,
  | 'merchantId'
  | 'environment'
  | 'walletId'
  | 'product'
  | 'network'
  | 'recipient'
  | 'faceValue'
  | 'charge'
  | 'mode'
  | 'route'
  | 'details'
> & { readonly id: string; readonly attempt: Omit<PurchaseInHand['attempt'], 'ageMs'> | undefined };

/** A purchase that was stored with its first attempt, which its request is about to send. */
export function takeAccepted(purchase: AcceptedPurchase, takenAtMs: number): PurchaseInHand {
  invariant(purchase.attempt !== undefined, 'a sync purchase is stored with its first attempt');
  const { provider, account, reference } = purchase.attempt;
  return {
    merchantId: purchase.merchantId,
    environment: purchase.environment,
    purchaseId: purchase.id,
    walletId: purchase.walletId,
    product: purchase.product,
    network: purchase.network,
    recipient: purchase.recipient,
    faceValue: purchase.faceValue,
    charge: purchase.charge,
    mode: purchase.mode,
    route: purchase.route,
    refused: [],
    details: purchase.details,
    attempts: 1,
    queries: 0,
    notFound: 0,
    flagged: false,
    evidence: 'none',
    final: false,
    ageMs: 0,
    attempt: { provider, account, reference, ageMs: 0 },
    takenAtMs,
  };
}

/** A purchase as returned by the statements that claim or read pending ones. */
export type PurchaseInHandRow = {
  merchant_id: number;
  environment: Environment;
  purchase_id: string;
  wallet_id: bigint;
  charge: bigint;
  attempts: number;
  queries: number;
  not_found: number;
  flagged: boolean;
  evidence: Evidence;
  age_ms: bigint;
  product: string;
  network: string;
  recipient: string;
  face_value: bigint;
  route: string;
  details: PurchaseDetails | null;
  mode: PurchaseMode;
  /** Names with a comma between them. */
  refused: string | null;
  attempt_provider: string | null;
  attempt_reference: string | null;
  attempt_age_ms: bigint | null;
};

/** The purchase of a row. Its attempt is undefined if the row has none. */
export function readPurchaseInHand(row: PurchaseInHandRow): Omit<PurchaseInHand, 'attempt' | 'takenAtMs'> & {
  readonly attempt: PurchaseInHand['attempt'] | undefined;
} {
  const { attempt_provider: provider, attempt_reference: reference } = row;
  return {
    merchantId: row.merchant_id,
    environment: row.environment,
    purchaseId: row.purchase_id,
    walletId: row.wallet_id,
    product: row.product,
    network: row.network,
    recipient: row.recipient,
    faceValue: row.face_value,
    charge: row.charge,
    mode: row.mode,
    route: row.route.split(','),
    refused: row.refused?.split(',') ?? [],
    details: row.details ?? undefined,
    attempts: row.attempts,
    queries: row.queries,
    notFound: row.not_found,
    flagged: row.flagged,
    evidence: row.evidence,
    final: false,
    ageMs: Number(row.age_ms),
    attempt:
      provider !== null && reference !== null
        ? { provider, reference, ageMs: Number(row.attempt_age_ms ?? 0n) }
        : undefined,
  };
}

/** A final success that is queried further: for its goods, or to check that it still holds. */
export type DeliveredRow = Omit<
  PurchaseInHandRow,
  | 'attempts'
  | 'queries'
  | 'not_found'
  | 'flagged'
  | 'evidence'
  | 'mode'
  | 'refused'
  | 'attempt_provider'
  | 'attempt_reference'
  | 'attempt_age_ms'
> & { attempt: number; attempt_provider: string; attempt_reference: string; attempt_age_ms: bigint };

/** `queries` counts those before this one. */
export function readDelivered(
  row: DeliveredRow,
  { queries, takenAtMs }: { readonly queries: number; readonly takenAtMs: number },
): PurchaseInHand {
  const { attempt, ...purchase } = readPurchaseInHand({
    ...row,
    attempts: row.attempt,
    queries,
    not_found: 0,
    flagged: true,
    evidence: 'delivered',
    mode: 'async',
    refused: null,
  });
  invariant(attempt !== undefined, 'a success has the attempt that brought it');
  return { ...purchase, attempt, takenAtMs, final: true };
}

/** The age at which a purchase that has provably not been sent is failed, in milliseconds. */
export type UnsentPatience = Readonly<Record<PurchaseMode, number>>;

/** `heldMs`: how long it has been claimed. */
export function toOrder(purchase: PurchaseInHand, heldMs: number): ProviderOrder {
  const order: ProviderOrder = {
    reference: purchase.attempt.reference,
    product: purchase.product,
    network: purchase.network,
    recipient: purchase.recipient,
    amount: purchase.faceValue,
    charge: purchase.charge,
    currency: 'NGN',
    ageMs: purchase.ageMs + heldMs,
    sentMs: purchase.attempt.ageMs + heldMs,
  };
  // Ordinary airtime has no details.
  return purchase.details === undefined
    ? order
    : { ...order, ...toOrderDetails(purchase.details, purchase.attempt.provider) };
}

function toOrderDetails(details: PurchaseDetails, provider: string): Partial<ProviderOrder> {
  const { kind, phone, item, story, customer } = details;
  const planCodes = details.planCodes?.[provider];
  return {
    ...(planCodes && { planCodes }),
    ...(kind !== undefined && { planKind: kind }),
    ...(phone !== undefined && { phone }),
    ...(item && { item: { ...item, unitPrice: BigInt(item.unitPrice) } }),
    ...(story !== undefined && { story }),
    ...(customer && { customer: readCustomer(customer) }),
  };
}

/** `route`: the providers it may go to next. */
export function progressOf(
  purchase: PurchaseInHand,
  elapsedMs: number,
  route: readonly string[],
): PurchaseProgress {
  const inHandMs = elapsedMs - purchase.takenAtMs;
  return {
    attempts: purchase.attempts,
    queries: purchase.queries,
    notFound: purchase.notFound,
    attemptAgeMs: purchase.attempt.ageMs + inHandMs,
    ageMs: purchase.ageMs + inHandMs,
    movedMs: purchase.movedMs,
    flagged: purchase.flagged,
    evidence: purchase.evidence,
    final: purchase.final,
    route,
    provider: purchase.attempt.provider,
    refused: purchase.refused,
  };
}

/**
 * Whether goods lack a part that the product must bring. A payment that cleared a debt brings none,
 * and its goods state that. Of several cards or PINs all must be present.
 */
export function lacksGoods(purchase: Pick<PurchaseInHand, 'details'>, goods: Goods | undefined): boolean {
  const owed = purchase.details?.goodsOwed;
  if (owed === undefined) return false;
  const got = goods?.[owed];
  if (owed === 'cards' || owed === 'pins')
    return !Array.isArray(got) || got.length < (purchase.details?.item?.quantity ?? 1);
  return got === undefined && goods?.payment_spent_on === undefined;
}
