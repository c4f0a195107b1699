/** Items of a queue that are processed in parallel. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DatabaseUnavailableError } from '../../../src/db/database-errors.ts';
import { workAll } from '../../../src/db/queue/work-all.ts';

const nothingAside = (): Promise<never> => Promise.reject(new Error('never called'));

test('all items are worked on, and counted', async () => {
  const done: number[] = [];
  assert.equal(await workAll([1, 2, 3], async (item) => done.push(item), nothingAside), 3);
  assert.deepEqual(done, [1, 2, 3]);
  assert.equal(await workAll([], nothingAside, nothingAside), 0);
});

test('a failed item stops no other, is quarantined, and is reported when all have ended', async () => {
  const done: number[] = [];
  const asides: number[] = [];
  const work = async (item: number): Promise<void> => {
    if (item === 1) throw new Error('the first fails');
    await new Promise((resolve) => setImmediate(resolve));
    done.push(item);
  };
  const quarantine = async (item: number): Promise<void> => void asides.push(item);
  await assert.rejects(workAll([1, 2, 3], work, quarantine), /the first fails/);
  assert.deepEqual([done, asides], [[2, 3], [1]]);
});

test('an item that fails because the database is away is not quarantined', async () => {
  const away = (): Promise<never> => Promise.reject(new DatabaseUnavailableError('away'));
  await assert.rejects(workAll([1], away, nothingAside), /^DatabaseUnavailableError: away$/);
});
