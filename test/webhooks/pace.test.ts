/** How events give way to purchases. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Pace } from '../../src/webhooks/pace.ts';

test('while very many purchases come in, a hundred events a second are sent, but for old ones', async () => {
  const pace = new Pace(() => 5_000);
  const startedMs = performance.now();
  await Promise.all(Array.from({ length: 40 }, () => pace.turn(0)));
  assert.ok(performance.now() - startedMs > 200, 'the rest waited for the next quarter of a second');
  const beforeMs = performance.now();
  for (let turn = 0; turn < 500; turn += 1) await pace.turn(301_000);
  assert.ok(performance.now() - beforeMs < 200, 'none of these waited');
});
