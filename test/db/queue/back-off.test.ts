/** The pauses between two tries. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { doublingPause, listedPause } from '../../../src/db/queue/leased-queue.ts';

test('a doubling pause begins with the first and stays at the longest', () => {
  const pauseAfter = doublingPause(5_000, 600_000);
  assert.deepEqual(
    [0, 1, 2, 3, 7, 8, 9, 1_000_000].map(pauseAfter),
    [5_000, 5_000, 10_000, 20_000, 320_000, 600_000, 600_000, 600_000],
  );
});

test('returns the listed pauses in order, and then none', () => {
  const pauseAfter = listedPause([60_000, 300_000]);
  assert.deepEqual([1, 2, 3, 100].map(pauseAfter), [60_000, 300_000, undefined, undefined]);
});
