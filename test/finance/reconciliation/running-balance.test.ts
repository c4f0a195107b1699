/** The balances that the lines of a statement name, each against the line before. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { RunningBalance } from '../../../src/finance/reconciliation/running-balance.ts';
import type { StatementLine, StatementState } from '../../../src/providers/statements/statement-line.ts';
import { runs } from '../../support/budget.ts';

type Moved = { readonly state: StatementState; readonly size: bigint };

const rise = (state: StatementState): boolean => state === 'top_up';

/** As a provider writes it, oldest first. */
function statement(moves: readonly Moved[], opening = 1_000_000n): StatementLine[] {
  let balance = opening;
  return moves.map(({ state, size }, index) => {
    balance += rise(state) ? size : -size;
    const money = state === 'delivered' ? { amount: size + 5n, cost: size } : { amount: size };
    return {
      line: index + 2,
      state,
      words: state,
      at: new Date(Date.UTC(2026, 10, 9, 8, index)),
      balance,
      currency: 'NGN',
      ...money,
    };
  });
}

function check(lines: readonly StatementLine[]) {
  const running = new RunningBalance();
  for (const line of lines) running.add(line);
  return running.result();
}

/** As the file has them, whichever line is first. */
const renumbered = (lines: readonly StatementLine[]) =>
  lines.map((line, index) => ({ ...line, line: index + 2 }));

const moves = fc.array(
  fc.record({
    state: fc.constantFrom<StatementState>('delivered', 'top_up', 'charge'),
    size: fc.bigInt({ min: 1n, max: 100_000n }),
  }),
  { minLength: 4, maxLength: 30 },
);

describe('the balances of a statement', () => {
  it('follows balances from line to line, oldest first or newest first', () => {
    fc.assert(
      fc.property(moves, fc.boolean(), (drawn, isReversed) => {
        const lines = statement(drawn);
        const file = renumbered(isReversed ? lines.toReversed() : lines);
        const { broken, followed } = check(file);
        assert.deepEqual([broken, followed], [0, drawn.length - 1]);
      }),
      runs(100),
    );
  });

  it('names the place of a missing or changed line, and the difference', () => {
    const drawn = (['delivered', 'charge', 'top_up', 'delivered', 'delivered', 'charge'] as const).map(
      (state, index) => ({ state, size: 1_000n + BigInt(index) }),
    );
    const whole = statement(drawn);
    const missing = whole.filter(({ line }) => line !== 4);
    const [gap, ...more] = check(missing).breaks;
    assert.equal(more.length, 0);
    assert.deepEqual([gap?.line, (gap?.balance ?? 0n) - (gap?.expected ?? 0n)], [5, 1_002n]);
    const changed = whole.map((line) => (line.line === 4 ? { ...line, amount: 1_003n } : line));
    const [one, ...others] = check(changed).breaks;
    assert.equal(others.length, 0);
    assert.deepEqual([one?.line, (one?.balance ?? 0n) - (one?.expected ?? 0n)], [4, -1n]);
  });

  it('skips lines whose amount is unknown', () => {
    const lines = statement(
      Array.from({ length: 6 }, (_, index) => ({ state: 'delivered' as const, size: BigInt(index + 1) })),
    );
    const withoutCost = lines.map(({ cost: _, ...line }) => line);
    assert.deepEqual([check(withoutCost).broken, check(withoutCost).followed], [0, 0]);
    const withoutBalance = lines.map(({ balance: _, ...line }) => line);
    assert.deepEqual([check(withoutBalance).broken, check(withoutBalance).followed], [0, 0]);
    const dollars = lines.map((line, index) =>
      index === 3 ? { ...line, currency: 'USD' as const, balance: 7n } : line,
    );
    assert.deepEqual([check(dollars).broken, check(dollars).followed], [0, 3]);
  });

  it('names a bounded number of lines, and counts all', () => {
    const lines = statement(
      Array.from({ length: 100 }, () => ({ state: 'delivered' as const, size: 10n })),
    ).map((line) => ({ ...line, balance: BigInt(line.line * line.line) }));
    const { breaks, broken } = check(lines);
    assert.deepEqual([breaks.length, broken], [20, 99]);
  });
});
