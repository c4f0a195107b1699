/** Whether a snapshot sees a row is told by the lower half of its transaction's number alone. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { createTestDatabase } from '../support/database.ts';

const clone = await createTestDatabase();
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());

type Seen = { name: string; snapshot: string; told: boolean; right: boolean };

async function insert(sql: Pick<typeof database, 'query'>, name: string): Promise<void> {
  await sql.query('insert into told (name, number) values ($1, pg_current_xact_id())', [name]);
}

async function takeSnapshot(): Promise<void> {
  await database.query('insert into taken (snapshot) values (pg_current_snapshot())');
}

test('a row is seen by the snapshots that see its transaction, whichever ran beside it', async () => {
  await database.query('create table told (name text primary key, number xid8 not null)');
  await database.query('create table taken (snapshot pg_snapshot not null)');
  await insert(database, 'before');
  await takeSnapshot();
  await database.transaction(async (early) => {
    await insert(early, 'early, long');
    await takeSnapshot();
    await database.transaction(async (late) => {
      await insert(late, 'late, long');
      await insert(database, 'between');
      await takeSnapshot();
    });
    await takeSnapshot();
    await database
      .transaction(async (undone) => {
        await insert(undone, 'undone');
        throw new Error('undone');
      })
      .catch(() => undefined);
    await insert(database, 'late');
  });
  await takeSnapshot();
  const rows = await database.query<Seen>(
    `select
       told.name,
       taken.snapshot::text as snapshot,
       is_seen(told.xmin, taken.snapshot) as told,
       pg_visible_in_snapshot(told.number, taken.snapshot) as right
     from told
     cross join taken`,
  );
  assert.deepEqual(
    rows.filter(({ told, right }) => told !== right),
    [],
  );
  // Each snapshot sees something, and all but the last miss something that is there by now.
  const seenBy = Map.groupBy(rows, ({ snapshot }) => snapshot);
  assert.deepEqual(
    [...seenBy.values()].map((seen) => seen.filter(({ told }) => told).length).sort(),
    [1, 1, 2, 3, 5],
  );
});

test('a snapshot of long ago sees none of them, and one to come sees all', async () => {
  const [row] = await database.query<{ before: boolean; after: boolean }>(
    `select
       bool_or(is_seen(xmin, '3:3:'::pg_snapshot)) as before,
       bool_and(is_seen(xmin, format('%s:%1$s:', pg_current_xact_id()::text::bigint + 1000000)::pg_snapshot)) as after
     from told`,
  );
  assert.deepEqual(row, { before: false, after: true });
});
