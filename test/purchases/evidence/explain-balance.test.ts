/**
 * The rule of balances: it decides only if one explanation is left, and decides that an order was
 * not executed only after a fully explained day.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  type BalanceReading,
  type BalanceTarget,
  type BalanceVerdict,
  CROWD,
  isCrowded,
  judgeBalance,
  type OtherMovement,
} from '../../../src/purchases/evidence/explain-balance.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const target: BalanceTarget = { order: 'own', fromMs: 0, costs: [97_00n], standsMs: HOUR };

/** A reading that took a second, so many minutes after the order. */
const at = (minutes: number, naira: number): BalanceReading => ({
  askedAtMs: minutes * MINUTE - 1_000,
  atMs: minutes * MINUTE,
  amount: BigInt(naira) * 100n,
});

/** Another order between two times in minutes. */
const other = (
  kind: OtherMovement['kind'],
  from: number,
  to: number,
  ...naira: readonly number[]
): OtherMovement => ({
  order: `other ${from} ${to}`,
  fromMs: from * MINUTE,
  toMs: to * MINUTE,
  costs: naira.map((one) => BigInt(one) * 100n),
  kind,
});

const NEVER = Number.POSITIVE_INFINITY;

const judged = (
  readings: readonly BalanceReading[],
  others: readonly OtherMovement[] = [],
  of = target,
): string => {
  const { verdict, why } = judgeBalance(of, readings, others);
  return `${verdict}: ${why}`;
};

/** A reading each ten minutes of a day, all the same. */
const still = (naira = 1_000, minutes = DAY / MINUTE + 10): readonly BalanceReading[] =>
  Array.from({ length: Math.floor(minutes / 10) + 2 }, (_, n) => at(n * 10 - 10, naira));

describe('an order counts as executed', () => {
  it('counts an order as executed if the balance moved by its cost and stays so for an hour', () => {
    assert.equal(judged([at(-1, 1_000), at(61, 903)]), 'moved: only_explanation');
    const { arithmetic } = judgeBalance(target, [at(-1, 1_000), at(61, 903)], []);
    assert.deepEqual([arithmetic?.cost, arithmetic?.others, arithmetic?.beside], [97_00n, 0n, 0]);
  });

  it('counts an order as executed if other orders certainly cost the rest', () => {
    const beside = [other('certain', 5, 6, 50), other('certain', -90, -80, 33)];
    assert.equal(judged([at(-1, 1_000), at(61, 853)], beside), 'moved: only_explanation');
  });

  it('counts an order as executed if one subset of the orders in flight explains the movement', () => {
    const flying = [other('open', 1, NEVER, 50), other('open', 2, NEVER, 30)];
    assert.equal(judged([at(-1, 1_000), at(61, 873)], flying), 'moved: only_explanation');
  });

  it('counts an order as executed by the exact balances in replies', () => {
    const neighbour = other('certain', 0, 1, 50);
    const told = { order: neighbour.order, isAfter: true };
    const after = { ...at(61, 903), told: { order: 'x', isAfter: false } };
    assert.equal(judged([{ ...at(-0.5, 1_000), told }, after], [neighbour]), 'moved: only_explanation');
  });
});

describe('an order stays unknown', () => {
  const undecided: readonly (readonly [
    string,
    string,
    readonly BalanceReading[],
    readonly OtherMovement[],
  ])[] = [
    ['without a reading before it', 'no_reading_before', [at(1, 1_000), at(61, 903)], []],
    ['with an old reading before it', 'no_reading_before', [at(-121, 1_000), at(61, 903)], []],
    ['while its debit has not stood for an hour', 'no_reading_after', [at(-1, 1_000), at(59, 903)], []],
    ['when it was refunded', 'not_moved_yet', [at(-1, 1_000), at(30, 903), at(61, 1_000)], []],
    ['when the movement has another amount', 'no_explanation', [at(-1, 1_000), at(61, 900)], []],
    ['when money came in', 'no_explanation', [at(-1, 1_000), at(61, 1_403)], []],
    [
      'when an order of the same cost flies beside it',
      'several_explanations',
      [at(-1, 1_000), at(61, 903)],
      [other('open', 1, NEVER, 97)],
    ],
    [
      'when two other orders explain the movement too',
      'several_explanations',
      [at(-1, 1_000), at(61, 903)],
      [other('open', 1, NEVER, 50), other('open', 2, NEVER, 47)],
    ],
    [
      'when an order of its cost was in flight at the first reading',
      'several_explanations',
      [at(-1, 1_000), at(61, 903)],
      [other('certain', -2, 1, 97)],
    ],
    [
      'when an order of its cost was in flight at the last reading',
      'several_explanations',
      [at(-1, 1_000), at(61, 903)],
      [other('certain', 60, 62, 97)],
    ],
    [
      'when a refused order of its cost may wait for its refund',
      'several_explanations',
      [at(-1, 1_000), at(61, 903)],
      [other('refused', 1, 2, 97)],
    ],
    [
      'when a booked top-up makes another explanation',
      'several_explanations',
      [at(-1, 1_000), at(61, 903)],
      [other('certain', 0, 120, -97), other('open', 1, NEVER, 97)],
    ],
    [
      'when too many orders fly beside it',
      'too_many_orders',
      [at(-1, 1_000), at(61, 903)],
      Array.from({ length: 9 }, (_, n) => other('open', n, NEVER, 7)),
    ],
    [
      'when it shows later, and did not at first',
      'several_explanations',
      [at(-1, 1_000), at(61, 1_000), at(300, 903)],
      [],
    ],
  ];
  for (const [when, why, readings, others] of undecided) {
    it(when, () => assert.equal(judged(readings, others), `undecided: ${why}`));
  }
});

/** As `still`, but another order took 50 naira at the fifth hour. */
const spent = (readings: readonly BalanceReading[]): readonly BalanceReading[] =>
  readings.map((reading) =>
    reading.atMs > 5 * HOUR ? { ...reading, amount: reading.amount - 50_00n } : reading,
  );
const spending = other('certain', 302, 304, 50);

describe('an order counts as not executed', () => {
  it('counts an order as not executed if others explain every step of a day', () => {
    assert.equal(judged(spent(still()), [spending]), 'unmoved: only_explanation');
    assert.equal(judged(spent(still())), 'undecided: no_explanation');
  });

  it('concludes nothing from an unchanged number, which may be stale or another wallet', () => {
    assert.equal(judged(still()), 'undecided: not_moved_yet');
  });

  it('concludes nothing earlier, with a gap, with an order in flight, or after an unexplained step', () => {
    const refuted = (readings: readonly BalanceReading[], ...beside: readonly OtherMovement[]): string =>
      judged(readings, [spending, ...beside]).split(':')[0] ?? '';
    assert.equal(refuted(spent(still())), 'unmoved');
    assert.equal(refuted(spent(still(1_000, DAY / MINUTE - 20))), 'undecided');
    const gap = spent(still()).filter(({ atMs }) => atMs < 6 * HOUR || atMs > 7 * HOUR);
    assert.equal(refuted(gap), 'undecided');
    assert.equal(refuted(spent(still()), other('open', 3, NEVER, 50)), 'undecided');
    assert.equal(refuted(spent(still()), other('refused', 500, 501, 97)), 'undecided');
    // A stranger spends, and a top-up of the same amount comes.
    const moving = spent(still()).map((reading, n) => (n === 40 ? { ...reading, amount: 500_00n } : reading));
    assert.equal(refuted(moving), 'undecided');
  });
});

// A world in which the truth is known. Times are minutes.
type Actual = OtherMovement & { readonly executedAtMs: number | undefined };

const cost = fc.constantFrom(30n, 50n, 80n, 97n, 100n);
const actual: fc.Arbitrary<Actual> = fc
  .record({
    from: fc.integer({ min: -180, max: 200 }),
    lasts: fc.integer({ min: 1, max: 90 }),
    executedAfter: fc.double({ min: 0, max: 1, noNaN: true }),
    isExecuted: fc.boolean(),
    cost,
    kind: fc.constantFrom('certain' as const, 'open' as const),
    order: fc.uuid(),
  })
  .map(({ from, lasts, executedAfter, isExecuted, cost: took, kind, order }) => ({
    order,
    kind,
    costs: [took * 100n],
    fromMs: from * MINUTE,
    toMs: kind === 'open' ? NEVER : (from + lasts) * MINUTE,
    executedAtMs: kind === 'certain' || isExecuted ? (from + executedAfter * lasts) * MINUTE : undefined,
  }));

const world = fc.record({
  others: fc.array(actual, { maxLength: 5 }),
  own: fc.option(fc.double({ min: 0, max: 30, noNaN: true }), { nil: undefined }),
  times: fc.array(fc.integer({ min: -100, max: 300 }), { minLength: 2, maxLength: 6 }),
  slowness: fc.integer({ min: 0, max: 120_000 }),
  moment: fc.double({ min: 0, max: 1, noNaN: true }),
});
type World = typeof world extends fc.Arbitrary<infer T> ? T : never;

/** The readings of a world in which only we use the account. */
function readingsOf({ others, own, times, slowness, moment }: World): BalanceReading[] {
  const took = (order: Actual, nowMs: number): bigint =>
    order.executedAtMs !== undefined && order.executedAtMs <= nowMs ? (order.costs[0] ?? 0n) : 0n;
  return times
    .toSorted((one, next) => one - next)
    .map((minutes) => {
      const askedAtMs = minutes * MINUTE;
      const atMs = askedAtMs + slowness;
      const nowMs = askedAtMs + moment * slowness;
      const spent = others.reduce((sum, order) => sum + took(order, nowMs), 0n);
      const ownCost = own !== undefined && own * MINUTE <= nowMs ? 97_00n : 0n;
      return { askedAtMs, atMs, amount: 1_000_000n - spent - ownCost };
    });
}

const verdictIn = (played: World, others: readonly OtherMovement[] = played.others): BalanceVerdict =>
  judgeBalance(target, readingsOf(played), others);

describe('the rule', () => {
  it('is never wrong if only we use the account', () => {
    fc.assert(
      fc.property(world, (played) => {
        const { verdict } = verdictIn(played);
        if (verdict === 'moved') assert.notEqual(played.own, undefined);
        if (verdict === 'unmoved') assert.equal(played.own, undefined);
      }),
      { numRuns: 2_000 },
    );
  });

  it('decides some of these cases', () => {
    const decided = fc
      .sample(world, { numRuns: 2_000, seed: 1 })
      .filter((one) => verdictIn(one).verdict === 'moved');
    assert.ok(decided.length > 20, `${decided.length} were decided`);
  });

  it('does not decide if an order of the same cost may have been executed instead', () => {
    fc.assert(
      fc.property(world, (played) => {
        const twin: OtherMovement = {
          order: 'twin',
          kind: 'open',
          fromMs: MINUTE,
          toMs: NEVER,
          costs: target.costs,
        };
        // The twin was not executed: it is only possible.
        assert.notEqual(verdictIn(played, [...played.others, twin]).verdict, 'moved');
      }),
    );
  });

  it('finds no explanation that a search through all of them does not', () => {
    fc.assert(
      fc.property(fc.array(cost, { maxLength: 6 }), fc.integer({ min: 0, max: 60_000 }), (costs, moved) => {
        const flying = costs.map((took, n) => ({ ...other('open', n + 1, NEVER), costs: [took * 100n] }));
        const movement = BigInt(moved) * 10n;
        const readings = [at(-1, 1_000), { ...at(61, 0), amount: 100_000n - movement }];
        const all = [97_00n, ...costs.map((took) => took * 100n)];
        const found = Array.from({ length: 2 ** all.length }, (_, mask) => mask).filter(
          (mask) => all.reduce((sum, took, n) => sum + ((mask >> n) & 1 ? took : 0n), 0n) === movement,
        );
        const isMoved = found.length === 1 && ((found[0] ?? 0) & 1) === 1;
        assert.equal(judgeBalance(target, readings, flying).verdict === 'moved', isMoved);
      }),
      { numRuns: 1_000 },
    );
  });

  it('decides nothing in a crowd of open orders, whatever was read', () => {
    const played = fc.record({
      starts: fc.array(fc.integer({ min: -180 * MINUTE, max: HOUR + 4_999 }), {
        minLength: CROWD - 1,
        maxLength: CROWD - 1,
      }),
      costs: fc.array(cost, { minLength: CROWD - 1, maxLength: CROWD - 1 }),
      standsMs: fc.constantFrom(0, HOUR),
      // Each may be told by the reply to one of them, or to the order itself.
      told: fc.array(fc.option(fc.record({ by: fc.nat(CROWD), isAfter: fc.boolean() }), { nil: undefined }), {
        minLength: 3,
        maxLength: 3,
      }),
      moved: fc.array(fc.integer({ min: 0, max: 1_000 }), { minLength: 3, maxLength: 3 }),
    });
    fc.assert(
      fc.property(played, ({ starts, costs, standsMs, told, moved }) => {
        const crowd = starts.map((fromMs, n) => ({
          ...other('open', 0, NEVER),
          order: `other ${n}`,
          fromMs,
          costs: [100n * (costs[n] ?? 1n)],
        }));
        const own = { ...target, standsMs };
        const crowdedFromMs = Math.max(0, ...starts);
        if (!isCrowded(own, crowdedFromMs)) return;
        const readings = [-1, 61, 180].map((minutes, n) => {
          const { by, isAfter } = told[n] ?? {};
          const order = by === undefined ? undefined : by === CROWD ? 'own' : `other ${by}`;
          const reading = { ...at(minutes, 0), amount: 1_000_000n - 1_000n * BigInt(moved[n] ?? 0) };
          return order === undefined ? reading : { ...reading, told: { order, isAfter: isAfter === true } };
        });
        assert.equal(judgeBalance(own, readings, crowd).verdict, 'undecided');
      }),
      { numRuns: 2_000 },
    );
  });

  it('decides with the highest number of open orders that is not a crowd', () => {
    const flying = Array.from({ length: CROWD - 2 }, (_, n) => ({
      ...other('open', 1, NEVER, 1_000 * 2 ** n),
      order: `other ${n}`,
    }));
    const told = (minutes: number, naira: number, order: string, isAfter: boolean): BalanceReading => ({
      ...at(minutes, naira),
      told: { order, isAfter },
    });
    const readings = [told(-1, 1_000, 'other 0', true), told(61, 903, 'other 1', false)];
    assert.equal(judged(readings, flying), 'moved: only_explanation');
    const more = [...flying, other('open', 1, NEVER, 5)];
    assert.equal(judged(readings, more), 'undecided: too_many_orders');
  });

  it('accepts the orders in any sequence', () => {
    fc.assert(
      fc.property(world, (played) => {
        assert.deepEqual(verdictIn(played, played.others.toReversed()), verdictIn(played));
      }),
    );
  });

  it('needs a whole day, however still the balance is, to decide that nothing was executed', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 23 * 60 }), (minutes) => {
        assert.equal(judgeBalance(target, spent(still(1_000, minutes)), [spending]).verdict, 'undecided');
      }),
    );
  });
});
