/** Floats as last read: shown while they are current, and removed when they are unknown. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createProviderFloats } from '../../src/app/provider-floats.ts';

test('shows a float for two minutes after it became unreadable, and again when it is readable', async () => {
  let nowMs = 1_000;
  let money: { amount: bigint; currency: 'NGN' } | undefined = { amount: 500n, currency: 'NGN' };
  const providers = new Map([['one', { balance: async () => money }]]);
  const floats = createProviderFloats(providers, { elapsedMs: () => nowMs }, async () => undefined);
  await floats.read();
  const shown = [{ provider: 'one', amount: 500n, currency: 'NGN' }];
  assert.deepEqual(floats.all(), shown);
  money = undefined;
  await floats.read();
  nowMs += 119_999;
  assert.deepEqual(floats.all(), shown);
  nowMs += 1;
  assert.deepEqual(floats.all(), []);
  assert.deepEqual(floats.readAt(), [{ provider: 'one', atMs: 1_000 }]);
  money = { amount: 400n, currency: 'NGN' };
  await floats.read();
  assert.deepEqual(floats.all(), [{ provider: 'one', amount: 400n, currency: 'NGN' }]);
});
