/**
 * Compares money that moved there without an order of ours with what is booked of it. Pure. A line
 * is matched with what is booked under its reference, else with what is booked of the same kind
 * and amount near its time, where one side names no id of the provider's. Each booking is matched
 * once. A booking with another amount is corrected by what is booked under its reference and
 * `:more`.
 */
import { formatAmount } from '../../core/money.ts';
import type { Period } from '../../providers/statements/statement-line.ts';
import type { Party } from './compare-order.ts';
import type { FoundDifference } from './difference-store.ts';
import { chargeCommand, topUpCommand } from './mend-commands.ts';
import type { BookedMovement, ReportedMovement } from './movements-store.ts';

/** How far a booking by hand may be from the time that the provider names. */
export const NEAR_MS = 2 * 24 * 3_600_000;

const DAY_MS = 24 * 3_600_000;
const LAGOS_MS = 3_600_000;

export class MovementComparison {
  readonly #provider: string;
  readonly #isLive: boolean;
  readonly #period: Period;
  readonly #unreported: readonly BookedMovement[];
  /** Booked, and not reported under their reference, by what left the account. */
  readonly #open: Map<bigint, BookedMovement[]>;
  readonly #matched = new Map<bigint, BookedMovement>();
  /** What left the account there less what came, as reported and as booked, in kobo. */
  taken = 0n;
  booked = 0n;
  topUps = 0n;
  charges = 0n;

  /** `unreported`: what is booked in the period or near it, and not reported under its reference. */
  constructor({ name, environment }: Party, period: Period, unreported: readonly BookedMovement[]) {
    this.#provider = name;
    this.#isLive = environment === 'live';
    this.#period = period;
    this.#unreported = unreported;
    const bases = Map.groupBy(unreported, baseOf);
    const open = unreported.filter((one) => bases.get(baseOf(one))?.length === 1);
    this.#open = Map.groupBy(open, leftBy);
  }

  /** Whether a line can still be matched with what is booked without its reference. */
  get hasOpen(): boolean {
    return this.#open.size > 0;
  }

  /** Lines that were matched by their kind and amount, and not by an id. */
  get matchedByAmount(): number {
    return this.#matched.size;
  }

  /** Matches a line with what is booked on the same day, or near. */
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
    const mend = isNaira ? this.#correction(reported, effect) : null;
    return { ...base(reported, effect), kind: 'movement_differs', here, mend };
  }

  #correction({ reference, provider_id: id }: ReportedMovement, effect: bigint): string {
    const more = `${reference}:more`;
    return effect < 0n
      ? topUpCommand(this.#provider, -effect, more)
      : chargeCommand(this.#provider, effect, more, `what ${id ?? reference} was booked wrong by`);
  }

  #unbooked(reported: ReportedMovement, effect: bigint): FoundDifference {
    const { state, amount, reference, words, currency } = reported;
    const found = { ...base(reported, effect), here: 'not booked' };
    const isNaira = currency === 'NGN';
    if (state === 'top_up') {
      const mend = isNaira ? topUpCommand(this.#provider, amount, reference) : null;
      return { ...found, kind: 'top_up_unbooked', mend };
    }
    // Money back for an order that cannot be reported: a person finds out for which.
    if (state === 'reversed') return { ...found, kind: 'unknown_here', mend: null };
    const mend = isNaira ? chargeCommand(this.#provider, amount, reference, words || 'charge') : null;
    if (state === 'charge') return { ...found, kind: 'charge_unbooked', mend };
    const listed = this.#isLive ? { listed: { state, currency, isMarked: false } } : {};
    return { ...found, ...listed, kind: 'unknown_here', mend };
  }

  /** What is booked in the period and was not reported, once all that was reported is compared. */
  rest(): FoundDifference[] {
    const { from, to } = this.#period;
    const matched = new Set(this.#matched.values());
    const left = this.#unreported.filter(
      (one) => !matched.has(one) && one.moved_at >= from && one.moved_at < to,
    );
    const sums = new Map<string, bigint>();
    for (const one of left) sums.set(baseOf(one), (sums.get(baseOf(one)) ?? 0n) + leftBy(one));
    // What was taken back again by a correction of the same amount is none.
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

/** What left the account there by it. */
function leftThere({ state, amount }: ReportedMovement): bigint {
  return state === 'top_up' || state === 'reversed' ? -amount : amount;
}

/** What left the account by it. */
function leftBy({ kind, amount }: BookedMovement): bigint {
  return kind === 'top_up' ? -amount : amount;
}

/** A reference that was made of a time and an amount, and of an id that several lines had. */
const MADE = /^(?:(?<id>.*)\/)?(?<at>\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2})\/[+-]\d+(?:#\d+)?$/;

/**
 * Two ids of the provider's are two movements. A booking under a time is of that time, unless one
 * side knows only the day.
 */
function mayBeSame({ reference }: BookedMovement, { provider_id: id, at }: ReportedMovement): boolean {
  const made = MADE.exec(reference ?? '')?.groups;
  const booked = made === undefined ? reference : (made.id ?? null);
  if (booked !== null && id !== null && booked !== id) return false;
  if (made === undefined) return true;
  const then = new Date(`${made.at}Z`);
  const isSameDay = dayOf(then) === dayOf(at) && (isMidnight(then) || isMidnight(at));
  return isSameDay || Math.abs(then.getTime() - at.getTime()) < 1_000;
}

function dayOf(at: Date): number {
  return Math.floor((at.getTime() + LAGOS_MS) / DAY_MS);
}

function isMidnight(at: Date): boolean {
  return (at.getTime() + LAGOS_MS) % DAY_MS === 0;
}

function distance({ moved_at: at }: BookedMovement, reported: ReportedMovement): number {
  return Math.abs(at.getTime() - reported.at.getTime());
}

function baseOf({ id, reference }: BookedMovement): string {
  return reference?.replace(/:more$/, '') ?? id;
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function base(reported: ReportedMovement, effect: bigint): Omit<FoundDifference, 'kind' | 'here' | 'mend'> {
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
