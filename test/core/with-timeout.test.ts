/** A caller that waits for a limited time gets a timely result, or a timeout. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { timedOut, withTimeout } from '../../src/core/with-timeout.ts';
import { keepBusy } from '../support/keep-busy.ts';

test('returns a value that arrives in time, also undefined', async () => {
  assert.equal(await withTimeout(60_000, Promise.resolve('done')), 'done');
  assert.equal(await withTimeout(60_000, Promise.resolve(undefined)), undefined);
});

test('rejects with an error that arrives in time', async () => {
  await assert.rejects(withTimeout(60_000, Promise.reject(new Error('it failed'))), /it failed/);
});

test('times out a promise that does not settle, which continues', async () => {
  const work = Promise.withResolvers<string>();
  const startedMs = performance.now();
  assert.equal(await withTimeout(100, work.promise), timedOut);
  assert.ok(performance.now() - startedMs >= 90);
  work.resolve('afterwards');
  assert.equal(await work.promise, 'afterwards');
});

test('times out at once when the time has passed, without a warning of the runtime', async (t) => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  assert.equal(await withTimeout(-500, new Promise(() => undefined)), timedOut);
  assert.equal(await withTimeout(-500, Promise.resolve('done')), 'done');
  assert.deepEqual(warnings, []);
});

test('ignores an error after the timeout', async () => {
  const work = Promise.withResolvers<void>();
  assert.equal(await withTimeout(1, work.promise), timedOut);
  work.reject(new Error('nobody waits for it'));
});

test('a busy process reads an answer that has arrived before it times out', async (t) => {
  // Four rounds take twice the time.
  keepBusy(t, 50);
  const ask = async () => {
    for (let turn = 0; turn < 4; turn++) await stat('.');
    return 'come';
  };
  assert.equal(await withTimeout(100, ask()), 'come');
});
