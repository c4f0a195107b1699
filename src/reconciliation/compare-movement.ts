/**
 * Compares money that moved there without an order of ours with what is booked of it. Pure. One
 * that was booked by hand without the provider's id is matched by its kind and amount, each once.
 * What was booked with another amount is corrected by what is booked under its reference and
 * `:more`.
 */
import { formatAmount } from '../kernel/money.ts';
import { chargeCommand, topUpCommand } from './mend-commands.ts';
import type { BookedMovement, ToldMovement } from './movements-store.ts';
import type { FoundDifference } from './told-store.ts';

const NEAR_MS = 2 * 24 * 3_600_000;

export class MovementComparison {
  readonly #provider: string;
  /** Booked without a reference, and not matched yet. */
  readonly #unnamed: BookedMovement[];
  readonly #untold: readonly BookedMovement[];
  readonly #openUnnamed: Set<BookedMovement>;
  /** What left the account there less what came, as told and as booked, in kobo. */
  taken = 0n;
  booked = 0n;
  topUps = 0n;
  charges = 0n;

  constructor(provider: string, untold: readonly BookedMovement[]) {
    this.#provider = provider;
    this.#untold = untold;
    this.#unnamed = untold.filter(({ reference }) => reference === null);
    this.#openUnnamed = new Set(this.#unnamed);
  }

  compare(told: ToldMovement): FoundDifference | undefined {
    const { state, amount, booked } = told;
    const sign = state === 'top_up' || state === 'reversed' ? -1n : 1n;
    const isNaira = told.currency === 'NGN';
    const taken = isNaira ? sign * amount : 0n;
    if (sign < 0n) this.topUps += amount;
    else this.charges += amount;
    const unnamed = booked === null && isNaira ? this.#takeUnnamed(told) : undefined;
    const kind = told.booked_kind ?? unnamed?.kind;
    const ours = isNaira ? (unnamed === undefined ? (booked ?? 0n) : leftBy(unnamed)) : 0n;
    this.taken += taken;
    this.booked += ours;
    const effect = taken - ours;
    if (kind === undefined) return this.#unbooked(told, effect);
    const foreign = told.booked_foreign ?? 0n;
    const isSame = isNaira ? effect === 0n : foreign === sign * amount;
    if (isSame) return undefined;
    const here = `${kind.replace('_', '-')} of ${formatAmount(magnitude(isNaira ? ours : foreign))}`;
    const mend = isNaira ? this.#correction(told, effect) : null;
    return { ...base(told, effect), kind: 'movement_differs', here, mend };
  }

  #correction({ reference, provider_id: id }: ToldMovement, effect: bigint): string {
    const more = `${reference}:more`;
    return effect < 0n
      ? topUpCommand(this.#provider, -effect, more)
      : chargeCommand(this.#provider, effect, more, `what ${id ?? reference} was booked wrong by`);
  }

  #unbooked(told: ToldMovement, effect: bigint): FoundDifference {
    const { state, amount, reference, words, currency } = told;
    const found = { ...base(told, effect), here: 'not booked' };
    const isNaira = currency === 'NGN';
    if (state === 'top_up') {
      const mend = isNaira ? topUpCommand(this.#provider, amount, reference) : null;
      return { ...found, kind: 'top_up_unbooked', mend };
    }
    // Money back for an order that cannot be told: a person finds out for which.
    if (state === 'reversed') return { ...found, kind: 'unknown_here', mend: null };
    const mend = isNaira ? chargeCommand(this.#provider, amount, reference, words || 'charge') : null;
    return { ...found, kind: state === 'charge' ? 'charge_unbooked' : 'unknown_here', mend };
  }

  #takeUnnamed({ state, amount, at }: ToldMovement): BookedMovement | undefined {
    const kind = state === 'top_up' ? 'top_up' : 'charge';
    const index = this.#unnamed.findIndex(
      (one) =>
        one.kind === kind &&
        one.amount === amount &&
        Math.abs(one.moved_at.getTime() - at.getTime()) < NEAR_MS,
    );
    if (index === -1) return undefined;
    const [found] = this.#unnamed.splice(index, 1);
    if (found !== undefined) this.#openUnnamed.delete(found);
    return found;
  }

  /** What is booked and was not told, once all that was told is compared. */
  rest(): FoundDifference[] {
    const left = this.#untold.filter((one) => one.reference !== null || this.#openUnnamed.has(one));
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
        line: null,
        reference,
        provider_id: null,
        merchant_id: null,
        vend_id: null,
        at,
        amount,
        effect: -ours,
        here: `${kind.replace('_', '-')} of ${formatAmount(amount)}`,
        there: 'not told',
        mend: null,
        purchase: null,
      };
    });
  }
}

/** What left the account by it. */
function leftBy({ kind, amount }: BookedMovement): bigint {
  return kind === 'top_up' ? -amount : amount;
}

function baseOf({ id, reference }: BookedMovement): string {
  return reference?.replace(/:more$/, '') ?? id;
}

function magnitude(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function base(told: ToldMovement, effect: bigint): Omit<FoundDifference, 'kind' | 'here' | 'mend'> {
  return {
    line: told.n,
    reference: told.reference,
    provider_id: told.provider_id,
    merchant_id: null,
    vend_id: null,
    at: told.at,
    amount: told.amount,
    effect,
    there: `${told.words || told.state}, ${formatAmount(told.amount)} ${told.currency}`,
    purchase: null,
  };
}
