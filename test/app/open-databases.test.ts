/**
 * The pools of a process: every purpose has connections, and together they use the allowed number.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openDatabases, splitConnections } from '../../src/app/open-databases.ts';
import { isUnavailable } from '../../src/db/database-errors.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusedFor } from '../support/refusals.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());

test('connections are split so that each purpose has at least one', () => {
  for (let total = 4; total <= 500; total += 1) {
    const sizes = splitConnections(total);
    assert.ok(Object.values(sizes).every((size) => size >= 1));
    assert.equal(
      Object.values(sizes).reduce((sum, size) => sum + size),
      total,
    );
    assert.ok(sizes.money >= sizes.work);
  }
  assert.deepEqual(splitConnections(12), { money: 4, work: 3, heartbeat: 1, reads: 4 });
});

test('reads of one merchant take half of their pool, end in time, and delay no other work', async () => {
  await using databases = openDatabases({
    connectionString: clone.connectionString,
    connectionsMax: 12,
    applicationName: 'oja test',
    onPoolError: () => undefined,
  });
  // As in the process. Without these calls, its database would be considered unresponsive.
  const beats = setInterval(() => databases.heartbeat.query('select 1').catch(() => undefined), 500);
  after(() => clearInterval(beats));
  let ended = 0;
  const reads = await Promise.all([
    Promise.allSettled(
      Array.from({ length: 5 }, () =>
        databases
          .readsOf(1)
          .query('select pg_sleep(600)')
          .finally(() => {
            ended += 1;
          }),
      ),
    ),
    (async () => {
      for (const pool of [databases.money, databases.work, databases.heartbeat, databases.readsOf(2)]) {
        await pool.query('select 1');
      }
      assert.ok(ended <= 3, 'those two that run are not waited for');
    })(),
  ]);
  const errors = reads[0].map((one) => (one.status === 'rejected' ? one.reason : 'it ran'));
  // Callers time out, in a process that was busy when the statements are cancelled.
  assert.equal(errors.filter(isUnavailable).length, 2);
  // A process that was busy for two seconds saw no heartbeat either.
  const isRefused = [refusedFor('look_ups_full'), refusedFor('database_away')];
  const refused = errors.filter((error) => isRefused.some((is) => is(error)));
  assert.equal(refused.length, 3);
  const again = await databases.readsOf(1).query('select 1 as one');
  assert.deepEqual(again, [{ one: 1 }]);
  clearInterval(beats);
});
