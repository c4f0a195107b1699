/** What is over with the fence of a restore: its alarms, which told that nothing is sold. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { type Operator, operator } from '../../cli/harness.ts';

let op: Operator;
before(async () => {
  op = await operator();
  // Without a provider, no list is missing.
  await op.json('route', 'set', 'live', 'airtime', '*', 'vtpass');
});
after(() => op[Symbol.asyncDispose]());

type Alarm = { readonly kind: string; readonly ended_at: string | null };

async function fenceAlarms(...options: string[]): Promise<readonly Alarm[]> {
  const alarms: readonly Alarm[] = await op.json('alarm', 'list', ...options);
  return alarms.filter(({ kind }) => kind === 'restore_fence');
}

async function raise(): Promise<void> {
  await op.json('restore', 'fence', '--reason', 'a test', '--yes');
}

it('removing the restore lock ends its alarms, however often it was set', async () => {
  await raise();
  await raise();
  const [first] = await fenceAlarms();
  assert.ok(first !== undefined);
  assert.deepEqual([(await fenceAlarms()).length, first.ended_at], [2, null]);
  assert.equal((await op.oja('restore', 'open')).code, 1);
  assert.equal((await fenceAlarms()).length, 2, 'nothing is over where it stays up');
  await op.json('restore', 'open', '--despite-differences', '--reason', 'a test', '--yes');
  assert.deepEqual(await fenceAlarms(), []);
  const over = await fenceAlarms('--all');
  assert.deepEqual([over.length, over.every(({ ended_at: at }) => at !== null)], [2, true]);
  await raise();
  assert.equal((await fenceAlarms()).length, 1, 'the next fence has an alarm of its own');
});
