/** A snapshot that is held for too long is seen, and is told of once. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSnapshotWatch } from '../../src/alarms/snapshot-watch.ts';
import { openDatabase } from '../../src/db/database.ts';
import { createTestDatabase } from '../support/database.ts';

/** So long that no look takes it, each of which has a snapshot of its own. */
const TOO_LONG_S = 1;
const HELD_S = 1.2;

test('one alarm for a snapshot, also after it was acknowledged, and a new one for the next', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  await using other = openDatabase({
    connectionString: clone.connectionString,
    connectionsMax: 1,
    applicationName: 'a report',
    onPoolError: () => undefined,
  });
  const watch = createSnapshotWatch(database, () => performance.now(), TOO_LONG_S);
  const alarms = () =>
    database.query<{ message: string }>(`select message from alarms where kind = 'old_snapshot' order by id`);
  const holdAnd = (work: () => Promise<void>) =>
    other.transaction(
      async (held) => {
        await held.query('select pg_sleep($1)', [HELD_S]);
        await work();
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  const longest = () => Math.max(...watch.oldest().map(({ heldS }) => heldS));
  assert.equal(longest(), 0);
  await holdAnd(async () => {
    // Several processes look.
    await Promise.all([
      watch.look(),
      createSnapshotWatch(database, () => performance.now(), TOO_LONG_S).look(),
    ]);
    assert.ok(longest() >= HELD_S, `${longest()} s`);
    const told = await alarms();
    assert.equal(told.length, 1);
    assert.match(told[0]?.message ?? '', /\b\d+\b.+\b0 min\b/);
    await database.query('update alarms set acknowledged_at = now()');
    await watch.look();
    assert.equal((await alarms()).length, 1);
  });
  await holdAnd(async () => {
    await watch.look();
  });
  assert.equal((await alarms()).length, 2);
});

test('a snapshot that is held for a moment is no alarm', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  await database.transaction(
    async (held) => {
      await held.query('select 1');
      await createSnapshotWatch(database).look();
    },
    { isolation: 'repeatable read', readOnly: true },
  );
  assert.deepEqual(await database.query('select 1 from alarms'), []);
});
