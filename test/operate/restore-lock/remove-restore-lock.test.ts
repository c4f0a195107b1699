/** The alarms of the restore lock end with it. */
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

async function restoreLockAlarms(...options: string[]): Promise<readonly Alarm[]> {
  const alarms: readonly Alarm[] = await op.json('alarm', 'list', ...options);
  return alarms.filter(({ kind }) => kind === 'restore_lock');
}

async function raise(): Promise<void> {
  await op.json('restore', 'lock', '--reason', 'a test', '--yes');
}

it('removing the restore lock ends its alarms, however often it was set', async () => {
  await raise();
  await raise();
  const [first] = await restoreLockAlarms();
  assert.ok(first !== undefined);
  assert.deepEqual([(await restoreLockAlarms()).length, first.ended_at], [2, null]);
  assert.equal((await op.oja('restore', 'open')).code, 1);
  assert.equal((await restoreLockAlarms()).length, 2, 'nothing is over where it stays up');
  await op.json('restore', 'open', '--despite-differences', '--reason', 'a test', '--yes');
  assert.deepEqual(await restoreLockAlarms(), []);
  const over = await restoreLockAlarms('--all');
  assert.deepEqual([over.length, over.every(({ ended_at: at }) => at !== null)], [2, true]);
  await raise();
  assert.equal((await restoreLockAlarms()).length, 1, 'the next restore lock has an alarm of its own');
});
