/** Several callers share runs of the same work, in order. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { singleFlight } from '../../src/core/single-flight.ts';

/** Each run waits until the test lets it end. */
function controlled() {
  const runs: PromiseWithResolvers<void>[] = [];
  const run = singleFlight(() => {
    const started = Promise.withResolvers<void>();
    runs.push(started);
    return started.promise;
  });
  return { runs, run };
}

const soon = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

test('answers a call during a run by a later run, which other callers share', async () => {
  const { runs, run } = controlled();
  const first = run();
  const later = [run(), run(), run()];
  let told = 0;
  for (const call of later) void call.then(() => (told += 1));
  runs[0]?.resolve();
  await first;
  await soon();
  assert.deepEqual([runs.length, told], [2, 0]);
  runs[1]?.resolve();
  await Promise.all(later);
  assert.equal(runs.length, 2);
});

test('rejects all callers of a failed run, and runs again', async () => {
  const { runs, run } = controlled();
  const first = run();
  const second = run();
  runs[0]?.reject(new Error('cannot read'));
  await assert.rejects(first, /cannot read/);
  await soon();
  runs[1]?.resolve();
  await second;
});
