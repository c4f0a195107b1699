/**
 * A vend that this process works on: what the call needs, and what deciding about its answer needs.
 * It is made here only: of a vend that was just accepted, or of a row that was claimed or read.
 */
import type { Environment } from '../../core/environment.ts';
import { invariant } from '../../core/errors.ts';
import type { Goods, ProviderOrder } from '../../providers/provider.ts';
import type { VendMode } from './purchase.ts';
import type { VendDetails } from './purchase-details.ts';
import { readCustomer } from './purchase-details.ts';
import type { Evidence, VendProgress } from './purchase-policy.ts';

export type VendInHand = {
  readonly merchantId: number;
  readonly environment: Environment;
  readonly vendId: string;
  readonly walletId: bigint;
  readonly product: string;
  readonly network: string;
  readonly recipient: string;
  readonly faceValue: bigint;
  readonly charge: bigint;
  readonly mode: VendMode;
  readonly route: readonly string[];
  /** Providers that refused earlier attempts by a fault of their own. */
  readonly refused: readonly string[];
  readonly details: VendDetails | undefined;
  /** Number of the present attempt, from 1. */
  readonly attempts: number;
  readonly queries: number;
  readonly notFound: number;
  readonly flagged: boolean;
  readonly evidence: Evidence;
  /** A success whose goods are late: only they are asked for. */
  readonly final: boolean;
  /** Milliseconds since the vend was accepted, when it was taken in hand. */
  readonly ageMs: number;
  readonly attempt: {
    readonly provider: string;
    /** The account it is to be sent to. Known of one that is about to be sent. */
    readonly account?: string | undefined;
    readonly reference: string;
    readonly ageMs: number;
  };
  /** Of the attempt's age, what its merchant's test clock was moved by. Absent: nothing. */
  readonly movedMs?: number;
  /** `Clock.elapsedMs` when it was taken in hand. */
  readonly takenAtMs: number;
};

/** What of a vend is stored when it is accepted, as far as working on it needs it. */
type AcceptedVend = Pick<
  VendInHand,
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
> & { readonly id: string; readonly attempt: Omit<VendInHand['attempt'], 'ageMs'> | undefined };

/** A vend that was stored with its first attempt, which its request is about to send. */
export function takeAccepted(vend: AcceptedVend, takenAtMs: number): VendInHand {
  invariant(vend.attempt !== undefined, 'a sync vend is stored with its first attempt');
  const { provider, account, reference } = vend.attempt;
  return {
    merchantId: vend.merchantId,
    environment: vend.environment,
    vendId: vend.id,
    walletId: vend.walletId,
    product: vend.product,
    network: vend.network,
    recipient: vend.recipient,
    faceValue: vend.faceValue,
    charge: vend.charge,
    mode: vend.mode,
    route: vend.route,
    refused: [],
    details: vend.details,
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

/** A vend as the statements give it that claim or read what is not final. */
export type VendInHandRow = {
  merchant_id: number;
  environment: Environment;
  vend_id: string;
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
  details: VendDetails | null;
  mode: VendMode;
  /** Names with a comma between them. */
  refused: string | null;
  attempt_provider: string | null;
  attempt_reference: string | null;
  attempt_age_ms: bigint | null;
};

/** The vend of a row. Its attempt is undefined where the row has none. */
export function readVendInHand(
  row: VendInHandRow,
): Omit<VendInHand, 'attempt' | 'takenAtMs'> & { readonly attempt: VendInHand['attempt'] | undefined } {
  const { attempt_provider: provider, attempt_reference: reference } = row;
  return {
    merchantId: row.merchant_id,
    environment: row.environment,
    vendId: row.vend_id,
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

/** A final success that is queried further: for its goods, or whether it still stands. */
export type DeliveredRow = Omit<
  VendInHandRow,
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

/** `queries` are those before this one. */
export function readDelivered(
  row: DeliveredRow,
  { queries, takenAtMs }: { readonly queries: number; readonly takenAtMs: number },
): VendInHand {
  const { attempt, ...vend } = readVendInHand({
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
  return { ...vend, attempt, takenAtMs, final: true };
}

/** How old a vend gets that has provably not left, in milliseconds: then it is failed. */
export type UnsentPatience = Readonly<Record<VendMode, number>>;

/** `heldMs`: how long it has been in hand. */
export function toOrder(vend: VendInHand, heldMs: number): ProviderOrder {
  const planCodes = vend.details?.planCodes?.[vend.attempt.provider];
  return {
    reference: vend.attempt.reference,
    product: vend.product,
    network: vend.network,
    recipient: vend.recipient,
    amount: vend.faceValue,
    currency: 'NGN',
    ageMs: vend.ageMs + heldMs,
    ...(planCodes && { planCodes }),
    ...(vend.details?.phone !== undefined && { phone: vend.details.phone }),
    ...(vend.details?.item && {
      item: { ...vend.details.item, unitPrice: BigInt(vend.details.item.unitPrice) },
    }),
    ...(vend.details?.story !== undefined && { story: vend.details.story }),
    ...(vend.details?.customer && { customer: readCustomer(vend.details.customer) }),
  };
}

/** `route`: to whom it may go on. */
export function progressOf(vend: VendInHand, elapsedMs: number, route: readonly string[]): VendProgress {
  const inHandMs = elapsedMs - vend.takenAtMs;
  return {
    attempts: vend.attempts,
    queries: vend.queries,
    notFound: vend.notFound,
    attemptAgeMs: vend.attempt.ageMs + inHandMs,
    ageMs: vend.ageMs + inHandMs,
    movedMs: vend.movedMs,
    flagged: vend.flagged,
    evidence: vend.evidence,
    final: vend.final,
    route,
    provider: vend.attempt.provider,
    refused: vend.refused,
  };
}

/**
 * Whether goods lack what the product owes. A payment that went into a debt brings nothing and says
 * so; of several cards or PINs all are owed.
 */
export function lacksGoods(vend: Pick<VendInHand, 'details'>, goods: Goods | undefined): boolean {
  const owed = vend.details?.goodsOwed;
  if (owed === undefined) return false;
  const got = goods?.[owed];
  if (owed === 'cards' || owed === 'pins')
    return !Array.isArray(got) || got.length < (vend.details?.item?.quantity ?? 1);
  return got === undefined && goods?.payment_spent_on === undefined;
}
