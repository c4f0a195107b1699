/**
 * Compares money that moved there without an order of ours with what is booked of it. Pure. One
 * that was booked by hand without the provider's id is matched by its kind and amount, each once.
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
    const kobo = unnamed?.amount ?? booked ?? 0n;
    const ours = isNaira && kind !== undefined ? (kind === 'top_up' ? -kobo : kobo) : 0n;
    this.taken += taken;
    this.booked += ours;
    const effect = taken - ours;
    if (kind === undefined) return this.#unbooked(told, effect);
    const isSame = isNaira ? effect === 0n : told.booked_foreign === amount;
    if (isSame) return undefined;
    const here = `${kind.replace('_', '-')} of ${formatAmount(isNaira ? kobo : (told.booked_foreign ?? 0n))}`;
    return { ...base(told, effect), kind: 'movement_differs', here, mend: null };
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
    return left.map(({ kind, amount, reference, moved_at: at }) => {
      const ours = kind === 'top_up' ? -amount : amount;
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
