/**
 * Decides by our balance at a provider whether an order was executed. Pure.
 *
 * The balance is read before and after the order. Other orders may be in flight at both readings,
 * and other people, fees and top-ups may move the balance. So the order is *moved* (executed) only
 * when exactly one explanation of the movement exists, to the kobo, and the order is part of it. It
 * is *unmoved* (not executed) only when a day of readings without a gap is explained step by step
 * without it, and other orders moved the balance on that day. Everything else is *undecided*, and
 * stays with a person.
 */

/** The balance at some moment between two times of the database, in milliseconds and kobo. */
export type BalanceReading = {
  readonly askedAtMs: number;
  readonly atMs: number;
  readonly amount: bigint;
  /**
   * The reply to this order reported it; `isAfter` is whether it includes the cost of the order.
   */
  readonly told?: { readonly order: string; readonly isAfter: boolean } | undefined;
};

/** The order in question, which has no final answer. */
export type BalanceTarget = {
  readonly order: string;
  /** When its attempt was committed, before its call. */
  readonly fromMs: number;
  /** The possible costs, in kobo. */
  readonly costs: readonly bigint[];
  /** How long a debit must stand, because panels debit first and refund failures. */
  readonly standsMs: number;
};

/** Anything else that may have moved the balance. */
export type OtherMovement = {
  readonly order: string;
  /** It moved the balance between these times, if it did. */
  readonly fromMs: number;
  /** Infinite for an order without a final answer. */
  readonly toMs: number;
  /** The amounts that it may have taken, in kobo. Negative for a top-up. */
  readonly costs: readonly bigint[];
  /**
   * `certain`: it took one of `costs`. `open`: or nothing. `refused`: or nothing, or it was debited
   * and then refunded.
   */
  readonly kind: 'certain' | 'open' | 'refused';
};

export type BalanceVerdict = {
  readonly verdict: 'moved' | 'unmoved' | 'undecided';
  readonly why: BalanceReason;
  /** The readings that it is about. Undefined without a reading before the order. */
  readonly arithmetic?: BalanceArithmetic;
};

type BalanceArithmetic = {
  readonly before: BalanceReading;
  readonly after: BalanceReading;
  /** The cost of the order, in kobo. Undefined unless it moved the balance. */
  readonly cost?: bigint;
  /** The amounts of the other movements. Undefined without a single explanation. */
  readonly others?: bigint;
  /** How many other movements may or may not be in it. */
  readonly beside: number;
};

type BalanceReason =
  /** The only explanation of the movement is the order, or the rest that it explains is empty. */
  | 'only_explanation'
  | 'no_reading_before'
  | 'no_reading_after'
  /** Other orders, of unknown amounts or in flight, explain the movement as well. */
  | 'several_explanations'
  /** A fee, a top-up, another user of the account, or another price. */
  | 'no_explanation'
  /** The order is not in the balance, but not enough time has passed to be sure. */
  | 'not_moved_yet'
  | 'too_many_orders';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** How long before or after its reply a provider may count an order in the balance. */
const SLACK_MS = 5_000;
/** A reading that is older than this at the time of the order is not compared. */
export const BEFORE_MS = 2 * HOUR_MS;
/** How long a refund of a refused order may take. */
export const REFUND_MS = HOUR_MS;
/** How long an order must be missing from the balance before it counts as not executed. */
export const UNMOVED_MS = 24 * HOUR_MS;
/** The longest time between two readings of that day. */
const GAP_MS = 15 * MINUTE_MS;
/** With more movements that may or may not be in a balance, there are too many sums. */
const BESIDE_MAX = 8;
/**
 * With this many open orders, every pair of readings has too many: the order itself, two whose own
 * replies contained the readings, and more than `BESIDE_MAX` others.
 */
export const CROWD = BESIDE_MAX + 4;

/**
 * Whether the order is undecided, whatever was read. `crowdedFromMs` is when the last order of the
 * crowd was committed. All orders of the crowd are open, and may be in each reading that decides.
 */
export function isCrowded(
  { fromMs, standsMs }: Pick<BalanceTarget, 'fromMs' | 'standsMs'>,
  crowdedFromMs: number | undefined,
): boolean {
  return crowdedFromMs !== undefined && crowdedFromMs < fromMs + standsMs + SLACK_MS;
}

/** `readings` in order of time. */
export function judgeBalance(
  target: BalanceTarget,
  readings: readonly BalanceReading[],
  others: readonly OtherMovement[],
): BalanceVerdict {
  const before = readings.findLast((reading) => isBefore(reading, target));
  if (before === undefined) return { verdict: 'undecided', why: 'no_reading_before' };
  const after = readings.filter(({ askedAtMs }) => askedAtMs >= target.fromMs + target.standsMs);
  const last = after.at(-1);
  if (last === undefined) return { verdict: 'undecided', why: 'no_reading_after' };
  const windows = after.map((reading) => explain(target, before, reading, others));
  const moved = windows.find((window) => window.cost !== undefined);
  const refuting = windows.find(({ total, cost }) => total === 1 && cost === undefined);
  if (moved !== undefined && refuting === undefined) return verdictOf('moved', 'only_explanation', moved);
  const newest = windows.at(-1) ?? explain(target, before, last, others);
  if (moved === undefined && isUnmoved(target, [before, ...following(readings, before)], others)) {
    return verdictOf('unmoved', 'only_explanation', newest);
  }
  return verdictOf('undecided', moved === undefined ? reasonOf(newest) : 'several_explanations', newest);
}

function isBefore({ atMs, told }: BalanceReading, { order, fromMs }: BalanceTarget): boolean {
  if (told?.order === order) return !told.isAfter;
  return atMs + SLACK_MS <= fromMs && atMs >= fromMs - BEFORE_MS;
}

function following(readings: readonly BalanceReading[], reading: BalanceReading): readonly BalanceReading[] {
  return readings.slice(readings.indexOf(reading) + 1);
}

function verdictOf(
  verdict: BalanceVerdict['verdict'],
  why: BalanceReason,
  { before, after, beside, total, cost, others }: Explained,
): BalanceVerdict {
  const arithmetic = {
    before,
    after,
    beside,
    ...(total === 1 && { others }),
    ...(verdict === 'moved' && cost !== undefined && { cost }),
  };
  return { verdict, why, arithmetic };
}

function reasonOf({ total, beside }: Explained): BalanceReason {
  if (beside > BESIDE_MAX) return 'too_many_orders';
  if (total === 0) return 'no_explanation';
  return total === 1 ? 'not_moved_yet' : 'several_explanations';
}

/**
 * Whether a day of readings without a gap is explained step by step without the order. Other orders
 * must have moved the balance, because an unchanged number may be stale or belong to another
 * wallet.
 */
function isUnmoved(
  target: BalanceTarget,
  readings: readonly BalanceReading[],
  others: readonly OtherMovement[],
): boolean {
  const end = readings.at(-1);
  if (end === undefined || end.askedAtMs < target.fromMs + UNMOVED_MS) return false;
  let isSeenToMove = false;
  for (const [index, reading] of readings.entries()) {
    const previous = readings[index - 1];
    if (previous === undefined) continue;
    if (reading.atMs - previous.askedAtMs > GAP_MS) return false;
    const step = explain(target, previous, reading, others);
    if (step.total !== 1 || step.cost !== undefined || step.beside > 0) return false;
    isSeenToMove ||= step.others > 0n;
  }
  return isSeenToMove;
}

type Explained = Pick<BalanceArithmetic, 'before' | 'after' | 'beside'> & {
  /** How many explanations there are: 0, 1, or 2 for more. */
  readonly total: 0 | 1 | 2;
  /** The cost of the order, if the only explanation has it. */
  readonly cost: bigint | undefined;
  readonly others: bigint;
};

/** Counts the explanations of the movement between two readings. */
function explain(
  target: BalanceTarget,
  before: BalanceReading,
  after: BalanceReading,
  others: readonly OtherMovement[],
): Explained {
  const movement = before.amount - after.amount;
  const moves = others.map((other) => movesOf(other, before, after));
  const flexible = moves.filter(({ length }) => length > 1);
  const beside = flexible.length;
  const own = [...new Set([0n, ...target.costs])];
  const none = { before, after, beside, cost: undefined, others: 0n } as const;
  // There are too many sums to count.
  if (beside > BESIDE_MAX) return { ...none, total: 2 };
  const fixed = moves.reduce((sum, some) => sum + (some.length === 1 ? (some[0] ?? 0n) : 0n), 0n);
  const sums = countSums(fixed, flexible);
  const found = own.filter((cost) => sums.has(movement - cost));
  const total = found.reduce((count, cost) => count + (sums.get(movement - cost) ?? 0), 0);
  const [cost = 0n] = found;
  if (total !== 1) return { ...none, total: total === 0 ? 0 : 2 };
  return { ...none, total: 1, cost: cost === 0n ? undefined : cost, others: movement - cost };
}

/** The number of ways to make each sum; 2 means several. */
function countSums(fixed: bigint, moves: readonly (readonly bigint[])[]): ReadonlyMap<bigint, number> {
  let sums = new Map<bigint, number>([[fixed, 1]]);
  for (const some of moves) {
    const next = new Map<bigint, number>();
    for (const [sum, count] of sums) {
      for (const move of some) {
        const made = sum + move;
        next.set(made, Math.min(2, (next.get(made) ?? 0) + count));
      }
    }
    sums = next;
  }
  return sums;
}

/** The amounts that a movement may have taken from the balance between two readings. */
function movesOf(other: OtherMovement, before: BalanceReading, after: BalanceReading): readonly bigint[] {
  const { costs, kind, toMs } = other;
  const [first, second] = [counted(other, before), counted(other, after)];
  const debited = first === 'yes' || second === 'no' ? [] : costs;
  // A refund may follow until it has certainly come.
  const isSettled = first === 'yes' && before.askedAtMs >= toMs + REFUND_MS;
  const refunded = kind !== 'refused' || first === 'no' || isSettled ? [] : costs.map((cost) => -cost);
  const isCertain = kind === 'certain' && first === 'no' && second === 'yes';
  return [...new Set([...(isCertain ? [] : [0n]), ...debited, ...refunded])];
}

/** Whether a reading includes the charge of an order. */
function counted({ order, fromMs, toMs }: OtherMovement, reading: BalanceReading): 'yes' | 'no' | 'maybe' {
  const { askedAtMs, atMs, told } = reading;
  if (told?.order === order) return told.isAfter ? 'yes' : 'no';
  if (atMs + SLACK_MS <= fromMs) return 'no';
  return askedAtMs >= toMs + SLACK_MS ? 'yes' : 'maybe';
}
