/** Items of a queue worked on side by side. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { workAll } from '../../src/queue/work-all.ts';

test('all items are worked on, and counted', async () => {
  const done: number[] = [];
  assert.equal(await workAll([1, 2, 3], async (item) => done.push(item)), 3);
  assert.deepEqual(done, [1, 2, 3]);
  assert.equal(await workAll([], () => Promise.reject(new Error('never called'))), 0);
});

test('one that fails keeps no other from its end, and is told when all have ended', async () => {
  const done: number[] = [];
  const work = async (item: number): Promise<void> => {
    if (item === 1) throw new Error('the first fails');
    await new Promise((resolve) => setImmediate(resolve));
    done.push(item);
  };
  await assert.rejects(workAll([1, 2, 3], work), /the first fails/);
  assert.deepEqual(done, [2, 3]);
});
