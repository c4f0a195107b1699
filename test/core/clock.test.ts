/** Elapsed time on a machine that sleeps and whose wall clock is set. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createClock, formatRfc3339, formatUtc } from '../../src/core/clock.ts';

function machine() {
  const faces = { wallMs: 1_000_000, steadyMs: 50 };
  const clock = createClock({ wallMs: () => faces.wallMs, steadyMs: () => faces.steadyMs });
  return {
    clock,
    pass: (wallMs: number, steadyMs: number) => {
      faces.wallMs += wallMs;
      faces.steadyMs += steadyMs;
    },
  };
}

/** The time that passes by the clock while the machine's two clocks advance. */
function passed(...steps: readonly (readonly [wallMs: number, steadyMs: number])[]): number {
  const { clock, pass } = machine();
  const before = clock.elapsedMs();
  let last = before;
  for (const [wallMs, steadyMs] of steps) {
    pass(wallMs, steadyMs);
    const now = clock.elapsedMs();
    assert.ok(now >= last, 'it only goes up');
    last = now;
  }
  return last - before;
}

test('counts the sleep of a machine by its wall clock', () => {
  assert.equal(passed([3_600_000, 20]), 3_600_000);
  assert.equal(passed([100, 100], [3_600_000, 20], [100, 100], [60_000, 0]), 3_660_200);
});

test('subtracts nothing for a wall clock set back, and counts one set forward as sleep', () => {
  assert.equal(passed([100, 100], [-3_600_000, 100], [100, 100]), 300);
  assert.equal(passed([100, 100], [7_200_100, 100], [-7_200_000, 100]), 100 + 7_200_100 + 100);
});

test('ignores a slight drift between the two clocks', () => {
  assert.equal(passed(...Array.from({ length: 100 }, () => [1_003, 1_000] as const)), 100_000);
});

test('reads the time of day from the wall clock', () => {
  const { clock, pass } = machine();
  pass(-500_000, 1);
  assert.deepEqual(clock.now(), new Date(500_000));
});

test('writes any times, one after the other, as the date itself does', () => {
  const at = fc.date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2200-01-01') });
  const near = fc.tuple(at, fc.array(fc.integer({ min: -2_000, max: 2_000 })));
  fc.assert(
    fc.property(near, ([first, steps]) => {
      for (const step of [0, ...steps]) {
        const time = new Date(first.getTime() + step);
        assert.equal(formatUtc(time), time.toISOString());
        const inLagos = formatRfc3339(time);
        assert.ok(inLagos.endsWith('+01:00'));
        assert.equal(new Date(inLagos).getTime(), time.getTime());
      }
    }),
  );
});

test('writes no invalid time', () => {
  assert.throws(() => formatUtc(new Date(Number.NaN)), RangeError);
  assert.throws(() => formatRfc3339(new Date(Number.NaN)), RangeError);
});
