/** A thread for long work: its priority, its failures, and its end. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { constants, getPriority } from 'node:os';
import { test } from 'node:test';
import { LowPriorityThread } from '../../src/core/low-priority-thread.ts';

const program = new URL('./low-priority-thread.worker.ts', import.meta.url);
const onLinux = { skip: process.platform !== 'linux' && 'threads have no priority here' };

/** How many threads of this process have the priority. Other test files may have started some. */
function countThreads(): number {
  const all = readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]);
  });
  return all.filter((nice) => nice === constants.priority.PRIORITY_BELOW_NORMAL).length;
}

test('only the thread has a low priority', onLinux, async () => {
  await using thread = new LowPriorityThread<string, string>(program);
  const [before, own] = [countThreads(), getPriority()];
  assert.equal(await thread.run('hello'), 'HELLO');
  assert.equal(countThreads(), before + 1);
  assert.equal(getPriority(), own);
});

test('a call that fails rejects, and the next one succeeds', async () => {
  await using thread = new LowPriorityThread<string, string>(program);
  const calls = [thread.run('fail'), thread.run('next')];
  await assert.rejects(calls[0] ?? Promise.resolve(), RangeError);
  assert.equal(await calls[1], 'NEXT');
});

test('a thread that dies rejects its calls, and another one is started', async () => {
  await using thread = new LowPriorityThread<string, string>(program);
  const calls = await Promise.allSettled([thread.run('die'), thread.run('next')]);
  assert.deepEqual(
    calls.map(({ status }) => status),
    ['rejected', 'rejected'],
  );
  assert.equal(await thread.run('again'), 'AGAIN');
});
