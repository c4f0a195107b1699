/** Two transactions that wait for each other's locks. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Tx } from '../../src/db/database.ts';
import { isLockTimeout, isUnavailable } from '../../src/db/database-errors.ts';
import { createTestDatabase } from '../support/database.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;

test('the transaction that PostgreSQL aborts stored nothing and may be sent again, and the other continues', async () => {
  await database.query('create table waited_for (id integer primary key, value integer)');
  await database.query('insert into waited_for values (1, 0), (2, 0)');
  const change = async (tx: Tx, id: number): Promise<void> => {
    await tx.query('update waited_for set value = value + 1 where id = $1', [id]);
  };
  let arrived = 0;
  const { promise: both, resolve: meet } = Promise.withResolvers<void>();
  const crossing = (first: number, second: number): Promise<void> =>
    database.transaction(async (tx) => {
      await change(tx, first);
      arrived += 1;
      if (arrived === 2) meet();
      await both;
      await change(tx, second);
    });
  const ends = await Promise.allSettled([crossing(1, 2), crossing(2, 1)]);
  const undone = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason] : []));
  assert.equal(undone.length, 1);
  assert.deepEqual([isUnavailable(undone[0]), isLockTimeout(undone[0])], [true, false]);
  assert.deepEqual(await database.query('select value from waited_for order by id'), [
    { value: 1 },
    { value: 1 },
  ]);
});
