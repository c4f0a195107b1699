/** Events yield to purchases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../../src/notifications/webhooks/pace.ts';

const never = (): boolean => false;

test('sends a hundred events a second while very many purchases arrive, and old events at once', async () => {
  const pace = new Pace(() => 5_000);
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: 40 }, () => pace.turn(new Date(), never)));
  assert.ok(performance.now() - startedMs > 200, 'the rest waited for the next quarter of a second');
  let waited = false;
  // It runs as soon as one of them waits for anything.
  setImmediate(() => {
    waited = true;
  });
  for (let turn = 0; turn < 500; turn += 1) await pace.turn(new Date(Date.now() - 301_000), never);
  assert.equal(waited, false, 'none of these waited');
});

test('sends a waiting event once it is old, and leaves it when the round is over', async () => {
  const pace = new Pace(() => 5_000);
  const began = new Date();
  for (let turn = 0; turn < 25; turn += 1) assert.equal(await pace.turn(began, never), true);
  assert.equal(await pace.turn(began, () => true), false);
  // It ages while it waits: the turns of the next three quarters are used by others.
  const nearlyOld = new Date(Date.now() - 299_900);
  let sent = 0;
  const others = Array.from({ length: 100 }, async () => {
    await pace.turn(began, never);
    sent += 1;
  });
  assert.equal(await pace.turn(nearlyOld, never), true);
  assert.ok(sent < others.length, 'it did not wait behind the others');
  await Promise.all(others);
});
