/**
 * Compares the movements that a provider reported without an order with the booked ones. Pure. A
 * line is matched with the booking under its reference. Without one it is matched with a booking of
 * the same kind and amount near its time, if one side names no id of the provider. Each booking is
 * matched once. A booking with a wrong amount is corrected by a booking under its reference and
 * `:more`.
 */
import { formatAmount } from '../../core/money.ts';
import type { Period } from '../../providers/statements/statement-line.ts';
import type { Party } from './compare-order.ts';
import type { FoundDifference } from './difference-store.ts';
import type { BookedMovement, ReportedMovement } from './movements-store.ts';

/** How far the time of a manual booking may be from the provider's time. */
export const NEAR_MS = 2 * 24 * 3_600_000;

const DAY_MS = 24 * 3_600_000;
const LAGOS_MS = 3_600_000;

export class MovementComparison {
  readonly #isLive: boolean;
  readonly #period: Period;
  readonly #unreported: readonly BookedMovement[];
  /** Bookings that are not reported under their reference, by the amount that left the account. */
  readonly #open: Map<bigint, BookedMovement[]>;
  readonly #matched = new Map<bigint, BookedMovement>();
  /** Money out less money in, as reported and as booked, in kobo. */
  taken = 0n;
  booked = 0n;
  topUps = 0n;
  charges = 0n;

  /**
   * `unreported` are the bookings in the period or near it that are not reported under their
   * reference.
   */
  constructor({ environment }: Party, period: Period, unreported: readonly BookedMovement[]) {
    this.#isLive = environment === 'live';
    this.#period = period;
    this.#unreported = unreported;
    const bases = Map.groupBy(unreported, baseOf);
    const open = unreported.filter((one) => bases.get(baseOf(one))?.length === 1);
    this.#open = Map.groupBy(open, leftBy);
  }

  /** Whether a booking is left that a line can be matched with. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** The number of lines that were matched by amount and not by id. */
  get matchedByAmount(): number {
    return this.#matched.size;
  }

  /** Matches a line with a booking of the same day, or near its time. */
  match(reported: ReportedMovement, nearness: 'same day' | 'near'): void {
    if (reported.booked_kind !== null || reported.currency !== 'NGN' || this.#matched.has(reported.id))
      return;
    const found = this.#takeOpen(reported, nearness);
    if (found !== undefined) this.#matched.set(reported.id, found);
  }

  #takeOpen(reported: ReportedMovement, nearness: 'same day' | 'near'): BookedMovement | undefined {
    const open = this.#open.get(leftThere(reported)) ?? [];
    const isNear = (one: BookedMovement): boolean =>
      nearness === 'same day'
        ? dayOf(one.moved_at) === dayOf(reported.at)
        : distance(one, reported) < NEAR_MS;
    const [nearest] = open
      .filter((one) => isNear(one) && mayBeSame(one, reported))
      .sort((one, other) => distance(one, reported) - distance(other, reported));
    if (nearest !== undefined) open.splice(open.indexOf(nearest), 1);
    return nearest;
  }

  compare(reported: ReportedMovement): FoundDifference | undefined {
    const { amount } = reported;
    const left = leftThere(reported);
    const isNaira = reported.currency === 'NGN';
    if (left < 0n) this.topUps += amount;
    else this.charges += amount;
    const matched = this.#matched.get(reported.id);
    const kind = reported.booked_kind ?? matched?.kind;
    const ours = isNaira ? (matched === undefined ? (reported.booked ?? 0n) : leftBy(matched)) : 0n;
    const taken = isNaira ? left : 0n;
    this.taken += taken;
    this.booked += ours;
    const effect = taken - ours;
    if (kind === undefined) return this.#unbooked(reported, effect);
    if (isNaira ? effect === 0n : reported.booked_foreign === left) return undefined;
    const here = `${kind.replace('_', '-')} of ${formatAmount(magnitude(isNaira ? ours : (reported.booked_foreign ?? 0n)))}`;
    return { ...base(reported, effect), kind: 'movement_differs', here };
  }

  #unbooked(reported: ReportedMovement, effect: bigint): FoundDifference {
    const { state, currency } = reported;
    const found = { ...base(reported, effect), here: 'not booked' };
    if (state === 'top_up') return { ...found, kind: 'top_up_unbooked' };
    if (state === 'charge') return { ...found, kind: 'charge_unbooked' };
    // For a reversal without an order, an operator must find out which order it belongs to.
    const isFinding = this.#isLive && state !== 'reversed';
    const listed = isFinding ? { listed: { state, currency, isMarked: false } } : {};
    return { ...found, ...listed, kind: 'unknown_here' };
  }

  /**
   * Returns the bookings of the period that were not reported. Call it after all lines are
   * compared.
   */
  rest(): FoundDifference[] {
    const { from, to } = this.#period;
    const matched = new Set(this.#matched.values());
    const left = this.#unreported.filter(
      (one) => !matched.has(one) && one.moved_at >= from && one.moved_at < to,
    );
    const sums = new Map<string, bigint>();
    for (const one of left) sums.set(baseOf(one), (sums.get(baseOf(one)) ?? 0n) + leftBy(one));
    // Skips bookings that a correction of the same amount cancelled.
    const open = left.filter((one) => one.reference === null || sums.get(baseOf(one)) !== 0n);
    return open.map((one) => {
      const { kind, amount, reference, moved_at: at } = one;
      const ours = leftBy(one);
      this.booked += ours;
      return {
        kind: 'movement_unknown_there',
        reference,
        at,
        amount,
        effect: -ours,
        here: `${kind.replace('_', '-')} of ${formatAmount(amount)}`,
        there: 'not reported',
      };
    });
  }
}

/** Returns the reported amount that left the account. */
function leftThere({ state, amount }: ReportedMovement): bigint {
  return state === 'top_up' || state === 'reversed' ? -amount : amount;
}

/** Returns the booked amount that left the account. */
function leftBy({ kind, amount }: BookedMovement): bigint {
  return kind === 'top_up' ? -amount : amount;
}

/** A generated reference: time and amount, after the provider's id if several lines have it. */
const GENERATED = /^(?:(?<id>.*)\/)?(?<at>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\/[+-]\d+(?:#\d+)?$/;

/**
 * Returns whether a booking and a line may be the same movement. Different ids are different
 * movements. A booking under a time must have that time, unless one side only has the day.
 */
function mayBeSame({ reference }: BookedMovement, { provider_id: id, at }: ReportedMovement): boolean {
  const generated = GENERATED.exec(reference ?? '')?.groups;
  const booked = generated === undefined ? reference : (generated.id ?? null);
  if (booked !== null && id !== null && booked !== id) return false;
  if (generated === undefined) return true;
  const then = new Date(`${generated.at}Z`);
  const isSameDay = dayOf(then) === dayOf(at) && (isMidnight(then) || isMidnight(at));
  return isSameDay || Math.abs(then.getTime() - at.getTime()) < 1_000;
}

function dayOf(at: Date): number {
  return Math.floor((at.getTime() + LAGOS_MS) / DAY_MS);
}

function isMidnight(at: Date): boolean {
  return (at.getTime() + LAGOS_MS) % DAY_MS === 0;
}

/** Returns how far the times are apart. A line at midnight may be of any time of its day. */
function distance({ moved_at: booked }: BookedMovement, { at }: ReportedMovement): number {
  const late = booked.getTime() - at.getTime();
  return late < 0 ? -late : Math.max(0, late - (isMidnight(at) ? DAY_MS : 0));
}

function baseOf({ id, reference }: BookedMovement): string {
  return reference?.replace(/:more$/, '') ?? id;
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function base(reported: ReportedMovement, effect: bigint): Omit<FoundDifference, 'kind' | 'here'> {
  return {
    line: reported.n,
    reference: reported.reference,
    provider_id: reported.provider_id,
    at: reported.at,
    amount: reported.amount,
    effect,
    there: `${reported.words || reported.state}, ${formatAmount(reported.amount)} ${reported.currency}`,
  };
}
