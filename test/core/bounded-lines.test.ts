/** Log lines of refusals are few, and every refusal is reported. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { BoundedLines, type LineLimits } from '../../src/core/bounded-lines.ts';

/** Callers that had a line, and the summary at the end of the second. */
function linesOf(t: TestContext, limits: LineLimits) {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const told: [string, string, number][] = [];
  const lines = new BoundedLines((...one) => told.push(one), limits);
  const admitted = (caller: string, reason: string, times: number): number =>
    Array.from({ length: times }, () => lines.admit(caller, reason)).filter(Boolean).length;
  return { admitted, told, endSecond: () => t.mock.timers.tick(1_000) };
}

test('a caller may write some lines a second for each reason, and a count of the others', (t) => {
  const { admitted, told, endSecond } = linesOf(t, { each: 3, all: 100, countedMax: 10 });
  assert.equal(admitted('a', 'rate_limit', 500), 3);
  assert.equal(admitted('a', 'not_allowed', 2), 2);
  assert.equal(admitted('b', 'rate_limit', 3), 3);
  endSecond();
  assert.deepEqual(told, [['a', 'rate_limit', 497]]);
  assert.equal(admitted('a', 'rate_limit', 1), 1);
  endSecond();
  assert.equal(told.length, 1);
});

test('all callers together may write a number of lines, and the rest are one line', (t) => {
  const { admitted, told, endSecond } = linesOf(t, { each: 3, all: 4, countedMax: 2 });
  const callers = Array.from({ length: 1_000 }, (_, index) => `caller ${index}`);
  assert.equal(
    callers.reduce((sum, caller) => sum + admitted(caller, 'malformed', 2), 0),
    4,
  );
  endSecond();
  assert.deepEqual(told, [['others', 'others', 1_996]]);
});
