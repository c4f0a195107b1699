/**
 * Compares an order that a provider reported with its purchase. Pure. The `effect` of a difference
 * is the amount by which it makes the real money less than in the books. The effects of all
 * differences plus the money of orders that are pending on both sides equal the total difference
 * exactly.
 */
import type { Environment } from '../../core/environment.ts';
import { formatAmount } from '../../core/money.ts';
import { readMark } from '../../providers/reference-mark.ts';
import type { DifferenceKind } from './difference.ts';
import type { FoundDifference } from './difference-store.ts';
import type { ListedOrder } from './finding.ts';
import type { ComparedOrder } from './our-orders-store.ts';

export type Compared = {
  readonly differences: readonly FoundDifference[];
  /** The provider's charge for the order, as reported and as booked. */
  readonly taken: bigint;
  readonly booked: bigint;
  /** The part of `taken` for orders that are pending on both sides. */
  readonly underWay: bigint;
};

type There = 'delivered' | 'reversed' | 'pending' | 'failed';
type Here = 'success' | 'failed' | 'pending' | 'unknown';

export type Party = { readonly name: string; readonly environment: Environment };

export function compareOrder(order: ComparedOrder, party: Party): Compared {
  const there = stateThere(order);
  const here = stateHere(order);
  // The books are in naira: the cost of an order in another currency is not compared.
  const isNaira = order.currency === 'NGN';
  const isPaid = there === 'delivered' || there === 'pending';
  const own = order.reported_cost ?? (here === 'success' ? order.cost : null) ?? 0n;
  const taken = isNaira && isPaid ? (there === 'pending' ? own : (order.all_costs ?? own)) : 0n;
  const spent = here === 'success' ? (order.cost ?? 0n) - order.refunded : 0n;
  const booked = isNaira ? spent + order.charged : 0n;
  const effect = taken - booked;
  const found: FoundDifference[] = [];
  const add = (kind: DifferenceKind, amount: bigint, of: bigint, thereText?: string): void => {
    const listed = isFinding(kind) && party.environment === 'live' ? { listed: listedOf(order, there) } : {};
    found.push({ ...differenceOf(order, kind, { amount, effect: of, there: thereText, here }), ...listed });
  };
  const isMarked = readMark(order.reference) !== undefined;
  const state = kindOf(there, here, isMarked, order.deliveries);
  const isUnderWay = there === 'pending' && here === 'pending';
  if (state !== undefined && !isMended(state, order, effect, isNaira)) {
    add(state, state === 'reversal_unknown_here' ? returnedBy(order) : own === 0n ? spent : own, effect);
  } else if (
    there === 'delivered' &&
    order.deliveries > 1 &&
    (isNaira ? effect !== 0n : order.charged === 0n)
  ) {
    add('delivered_twice', effect === 0n ? own : effect, effect, `${order.deliveries} deliveries`);
  }
  const underWay = isUnderWay ? effect : 0n;
  const rest = effect - underWay - found.reduce((sum, one) => sum + one.effect, 0n);
  if (rest !== 0n) {
    add('cost_differs', rest < 0n ? -rest : rest, rest, costText(order, taken));
  }
  if (there === 'delivered' && here !== 'unknown') {
    if (hasOtherAmount(order)) add('amount_differs', order.reported_amount ?? 0n, 0n, amountText(order));
    if (hasOtherRecipient(order)) {
      add('other_recipient', order.face_value ?? 0n, 0n, `for ${masked(order.reported_recipient)}`);
    }
  }
  if (here === 'success' && order.moved !== (order.cost ?? 0n)) {
    add('ledger_differs', order.moved, 0n, `the ledger moved ${formatAmount(order.moved)}`);
  }
  return { differences: found, taken, booked, underWay };
}

function stateThere({ deliveries, reversed, pending }: ComparedOrder): There {
  if (deliveries >= 1) return 'delivered';
  if (reversed) return 'reversed';
  return pending ? 'pending' : 'failed';
}

/**
 * Returns the state of an attempt in the books. An attempt that was followed by another counts as
 * failed, whatever the purchase became.
 */
function stateHere({ purchase_id: id, later_provider: later, status }: ComparedOrder): Here {
  if (id === null) return 'unknown';
  if (later !== null) return 'failed';
  return status ?? 'pending';
}

function isFinding(kind: DifferenceKind): boolean {
  return kind === 'unknown_here' || kind === 'failed_there_unknown_here';
}

function listedOf(order: ComparedOrder, there: There): ListedOrder {
  return {
    state: there,
    product: order.reported_product ?? undefined,
    network: order.reported_network ?? undefined,
    recipient: order.reported_recipient ?? undefined,
    amount: order.reported_amount === null ? undefined : formatAmount(order.reported_amount),
    currency: order.amount_currency ?? order.currency,
    isMarked: readMark(order.reference) !== undefined,
    item: order.reported_item ?? undefined,
  };
}

/** Returns the kind of difference; undefined if both sides agree. */
function kindOf(there: There, here: Here, isMarked: boolean, deliveries: number): DifferenceKind | undefined {
  if (here === 'unknown') {
    if (there === 'delivered' || there === 'pending') return 'unknown_here';
    // An order with our reference must be known, even if it failed.
    if (isMarked) return 'failed_there_unknown_here';
    // A reversal without its delivery may be of an order of ours under another reference.
    return there === 'reversed' && deliveries < 0 ? 'reversal_unknown_here' : undefined;
  }
  if (there === 'delivered') {
    if (here === 'success') return undefined;
    return here === 'failed' ? 'delivered_there_failed_here' : 'delivered_there_pending_here';
  }
  if (there === 'pending') {
    if (here === 'pending') return undefined;
    return here === 'success' ? 'pending_there_success_here' : 'pending_there_failed_here';
  }
  if (here === 'failed') return undefined;
  return here === 'success' ? 'failed_there_success_here' : 'failed_there_pending_here';
}

/** Returns the amount of a reversal, as far as the provider states it in the currency of costs. */
function returnedBy(order: ComparedOrder): bigint {
  const { reported_cost: cost, reported_amount: amount, amount_currency: other } = order;
  return cost ?? (other === null ? amount : null) ?? 0n;
}

/** Returns whether later bookings already account for the difference. */
function isMended(kind: DifferenceKind, order: ComparedOrder, effect: bigint, isNaira: boolean): boolean {
  switch (kind) {
    case 'unknown_here':
    case 'delivered_there_failed_here':
      return order.charged > 0n && (effect === 0n || !isNaira);
    case 'failed_there_success_here':
      return order.refunded > 0n && order.refunded === order.cost;
    default:
      return false;
  }
}

type Facts = {
  readonly amount: bigint;
  readonly effect: bigint;
  readonly there: string | undefined;
  readonly here: Here;
};

function differenceOf(order: ComparedOrder, kind: DifferenceKind, facts: Facts): FoundDifference {
  return {
    kind,
    line: order.n,
    reference: order.reference,
    provider_id: order.provider_id,
    merchant_id: order.merchant_id,
    purchase_id: order.purchase_id,
    at: order.at,
    amount: facts.amount,
    effect: facts.effect,
    here: hereText(order, facts.here),
    there: facts.there ?? order.words,
    purchase: order.purchase,
  };
}

function hereText(
  { status, reason, later_provider: later, cost, merchant_code: merchant }: ComparedOrder,
  here: Here,
): string {
  switch (here) {
    case 'unknown':
      return 'unknown';
    case 'success':
      return `success of ${merchant}, cost ${formatAmount(cost ?? 0n)}`;
    case 'pending':
      return `pending, of ${merchant}`;
    case 'failed':
      return later === null
        ? `failed (${reason}), of ${merchant}`
        : `given to ${later} afterwards: ${status ?? 'pending'}, of ${merchant}`;
  }
}

function costText(order: ComparedOrder, taken: bigint): string {
  const estimated = order.cost_estimated === true ? '; the booked cost was an estimate' : '';
  return `cost ${formatAmount(taken)}${estimated}`;
}

function amountText({ reported_amount: amount, amount_currency: currency }: ComparedOrder): string {
  return `of ${formatAmount(amount ?? 0n)}${currency === null ? '' : ` ${currency}`}`;
}

/**
 * Returns whether the amounts differ. A plan has the provider's price and is not compared; for a
 * card or an eSIM its face value is.
 */
function hasOtherAmount(order: ComparedOrder): boolean {
  const {
    reported_amount: reported,
    amount_currency: currency,
    item,
    face_value: face,
    has_plan: hasPlan,
  } = order;
  if (reported === null) return false;
  if (currency !== null) {
    if (item === null || item === undefined || item.currency !== currency) return false;
    return BigInt(item.unitPrice) * BigInt(item.quantity) !== reported;
  }
  return hasPlan === false && item === null && face !== null && face !== reported;
}

/** The masked part of a number. The digits behind it are compared. */
const HIDDEN = /^.*(?:[*•#]{2,}|x{3,}|…)/iu;

function hasOtherRecipient({ reported_recipient: reported, recipient }: ComparedOrder): boolean {
  if (reported === null || recipient === null) return false;
  const [one, other] = [digits(reported.replace(HIDDEN, '')), digits(recipient)];
  if (HIDDEN.test(reported)) return !other.endsWith(one);
  if (one.length < 5 || other.length < 5) return false;
  const length = Math.min(one.length, other.length, 10);
  // The cell may say more, such as `08031234561 (5GB)`.
  return !one.includes(other.slice(-length));
}

function digits(text: string): string {
  return text.replace(/\D/g, '');
}

/** Masks a recipient. */
function masked(text: string | null): string {
  return `…${(text ?? '').slice(-4)}`;
}
