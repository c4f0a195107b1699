/** How a job that adds up behind the purchases shares the time with them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddingPace, SliceLength } from '../../src/db/adding-pace.ts';

test('a run ends after 50 ms, and what rests is not begun again before its time', (t) => {
  let nowMs = 1_000;
  t.mock.method(performance, 'now', () => nowMs);
  const pace = new AddingPace();
  assert.equal(pace.start(), true);
  nowMs += 10;
  assert.equal(pace.isOver(), false);
  // Ten milliseconds of work: a quarter of a second of rest.
  pace.rest({ isBehind: true });
  nowMs += 249;
  assert.equal(pace.start(), false);
  nowMs += 1;
  assert.equal(pace.start(), true);
  nowMs += 50;
  assert.equal(pace.isOver(), true);
  // Half a second is the longest rest of what is behind.
  pace.rest({ isBehind: true });
  nowMs += 499;
  assert.equal(pace.start(), false);
  nowMs += 1;
  assert.equal(pace.start(), true);
  // Where nothing is left, two seconds.
  pace.rest({ isBehind: false });
  nowMs += 1_999;
  assert.equal(pace.start(), false);
  nowMs += 1;
  assert.equal(pace.start(), true);
});

test('a slice gets longer where there is little, and shorter where there is much, within bounds', () => {
  const length = new SliceLength(600);
  const seconds: number[] = [];
  for (const rows of [0, 999, 1_000, 3_000, 0, 0, 0]) {
    length.measure(rows);
    seconds.push(length.seconds);
  }
  assert.deepEqual(seconds, [20, 80, 80, 80, 320, 600, 600]);
  for (let slice = 0; slice < 20; slice += 1) length.measure(3_001);
  assert.equal(length.seconds, 0.25);
});
