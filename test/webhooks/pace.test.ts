/** How events give way to purchases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../src/webhooks/pace.ts';

const never = (): boolean => false;

test('while very many purchases come in, a hundred events a second are sent, but for old ones', async () => {
  const pace = new Pace(() => 5_000);
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: 40 }, () => pace.turn(new Date(), never)));
  assert.ok(performance.now() - startedMs > 200, 'the rest waited for the next quarter of a second');
  const beforeMs = performance.now();
  for (let turn = 0; turn < 500; turn += 1) await pace.turn(new Date(Date.now() - 301_000), never);
  assert.ok(performance.now() - beforeMs < 200, 'none of these waited');
});

test('an event that waits is sent once it is old, and left where the round is over', async () => {
  const pace = new Pace(() => 5_000);
  const began = new Date();
  for (let turn = 0; turn < 25; turn += 1) assert.equal(await pace.turn(began, never), true);
  assert.equal(await pace.turn(began, () => true), false);
  // It grows old while it waits: the turns of the next quarter are taken by others.
  const nearlyOld = new Date(Date.now() - 299_900);
  const others = Promise.all(Array.from({ length: 50 }, () => pace.turn(began, never)));
  const startedMs = performance.now();
  assert.equal(await pace.turn(nearlyOld, never), true);
  assert.ok(performance.now() - startedMs < 400, 'it did not wait behind the others');
  await others;
});
