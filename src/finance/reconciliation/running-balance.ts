/**
 * Checks the balances in the lines of a file: each must equal the one before plus the line's
 * movement. A file with the newest line first is checked backwards.
 *
 * Guarantees: memory is bounded. Two lines are compared only if the movements between them are
 * known: a line without a balance, with an unknown cost, or in another currency is skipped.
 */
import type { StatementLine } from '../../providers/statements/statement-line.ts';

/** A line whose balance does not follow from its neighbour. */
type BalanceBreak = {
  readonly line: number;
  readonly at: Date;
  readonly balance: bigint;
  /** The balance that the neighbour leads to. */
  readonly expected: bigint;
};

export type BalanceCheck = {
  /** The first breaks, in the order of the file. */
  readonly breaks: readonly BalanceBreak[];
  readonly broken: number;
  /** How many of the broken are top-ups or charges. */
  readonly brokenMovements: number;
  readonly followed: number;
};

const BREAKS_MAX = 20;

type Known = { readonly line: StatementLine; readonly balance: bigint; readonly effects: Effects };

/** The amounts that the line may have moved, the likeliest first; undefined if unknown. */
type Effects = readonly [bigint, ...bigint[]] | undefined;

export class RunningBalance {
  #last: Known | undefined;
  readonly #oldestFirst = new Direction();
  readonly #newestFirst = new Direction();

  add(line: StatementLine): void {
    const { balance } = line;
    if (balance === undefined || line.state === 'unrelated') {
      this.#last = undefined;
      return;
    }
    const next: Known = { line, balance, effects: effectsOf(line) };
    const before = this.#last;
    this.#last = next;
    if (before === undefined || before.line.currency !== line.currency) return;
    this.#oldestFirst.step(before.balance, next);
    this.#newestFirst.step(next.balance, before);
  }

  /** Returns the result of the direction in which more lines follow. */
  result(): BalanceCheck {
    const [one, other] = [this.#oldestFirst, this.#newestFirst];
    return other.followed > one.followed ? other : one;
  }
}

class Direction implements BalanceCheck {
  readonly breaks: BalanceBreak[] = [];
  broken = 0;
  brokenMovements = 0;
  followed = 0;

  step(from: bigint, { line, balance, effects }: Known): void {
    if (effects === undefined) return;
    if (effects.some((effect) => from + effect === balance)) {
      this.followed += 1;
      return;
    }
    this.broken += 1;
    if (line.state === 'top_up' || line.state === 'charge') this.brokenMovements += 1;
    if (this.breaks.length >= BREAKS_MAX) return;
    this.breaks.push({ line: line.line, at: line.at, balance, expected: from + effects[0] });
  }
}

function effectsOf({ state, amount, cost = state === 'payment' ? 0n : undefined }: StatementLine): Effects {
  switch (state) {
    case 'top_up':
      return amount === undefined ? undefined : [amount];
    case 'charge':
      return amount === undefined ? undefined : [-amount];
    // The bank may deduct its fee at once or later.
    case 'payment':
      return amount === undefined || cost === undefined ? undefined : [amount, amount - cost];
    case 'delivered':
      return cost === undefined ? undefined : [-cost];
    // A line of an order that was reversed, is pending or failed may represent the order, the
    // returned money, or both.
    default: {
      const moved = cost ?? amount;
      return moved === undefined ? undefined : [0n, moved, -moved];
    }
  }
}
