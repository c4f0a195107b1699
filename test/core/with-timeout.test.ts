/** Who waits for work no longer than so long has what came in time, and is told what did not. */
import assert from 'node:assert/strict';
import { stat } from 'node:fs/promises';
import { test } from 'node:test';
import { timedOut, withTimeout } from '../../src/core/with-timeout.ts';
import { keepBusy } from '../support/keep-busy.ts';

test('what comes in time is given, nothing too', async () => {
  assert.equal(await withTimeout(60_000, Promise.resolve('done')), 'done');
  assert.equal(await withTimeout(60_000, Promise.resolve(undefined)), undefined);
});

test('what fails in time fails', async () => {
  await assert.rejects(withTimeout(60_000, Promise.reject(new Error('it failed'))), /it failed/);
});

test('what does not come is too late when the time is over, and goes on', async () => {
  const work = Promise.withResolvers<string>();
  const startedMs = performance.now();
  assert.equal(await withTimeout(100, work.promise), timedOut);
  assert.ok(performance.now() - startedMs >= 90);
  work.resolve('afterwards');
  assert.equal(await work.promise, 'afterwards');
});

test('a time that is over before is over, without a warning of the runtime', async (t) => {
  const warnings: string[] = [];
  const note = ({ name }: Error) => void warnings.push(name);
  process.on('warning', note);
  t.after(() => process.off('warning', note));
  assert.equal(await withTimeout(-500, new Promise(() => undefined)), timedOut);
  assert.equal(await withTimeout(-500, Promise.resolve('done')), 'done');
  assert.deepEqual(warnings, []);
});

test('what fails too late fails nobody', async () => {
  const work = Promise.withResolvers<void>();
  assert.equal(await withTimeout(1, work.promise), timedOut);
  work.reject(new Error('nobody waits for it'));
});

test('a process that has too much to do reads what has come before it is too late', async (t) => {
  // Four turns take twice the time.
  keepBusy(t, 50);
  const ask = async () => {
    for (let turn = 0; turn < 4; turn++) await stat('.');
    return 'come';
  };
  assert.equal(await withTimeout(100, ask()), 'come');
});
