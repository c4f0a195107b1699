/** A vend this process works on: what the call needs, and what deciding about its answer needs. */
import type { Environment } from '../../kernel/environment.ts';
import type { Goods, ProviderOrder } from '../../providers/provider.ts';
import { readCustomer } from './stored-customer.ts';
import type { VendMode } from './vend.ts';
import type { VendDetails } from './vend-details.ts';
import type { Evidence, VendProgress } from './vend-policy.ts';

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

export function progressOf(vend: VendInHand, elapsedMs: number): VendProgress {
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
    route: vend.route,
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
