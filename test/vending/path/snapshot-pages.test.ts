/**
 * What a purchase costs while somebody holds a snapshot, in pages that are read: hardly more than
 * before, however many purchases were made meanwhile.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { resolveVends } from '../../support/commit-vends.ts';
import { createTestDatabase } from '../../support/database.ts';
import { accept, answer, type Buyer, openBuyer, purchase } from '../fixture.ts';

const BATCH = 4;
const MEASURED = 40;
const BESIDE = 800;
const MORE_MAX = 1.4;

/** Pages of all tables and their indexes that the one connection has read, from memory or disk. */
async function pagesRead(database: Database): Promise<number> {
  // The connection tells what it has counted right after this statement.
  await database.query('select pg_stat_force_next_flush()');
  const [row] = await database.query<{ pages: number }>(`
    select sum(heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float8 as pages
    from pg_statio_user_tables`);
  return row?.pages ?? 0;
}

async function buy(database: Database, buyer: Buyer, batches: number): Promise<void> {
  for (let batch = 0; batch < batches; batch += 1) {
    const items = Array.from({ length: BATCH }, () => purchase(buyer, 10n));
    await accept(database, ...items);
    await resolveVends(
      database,
      items.map((item) => answer(buyer, item, 'success')),
    );
  }
}

async function pagesOf(database: Database, work: () => Promise<void>): Promise<number> {
  const before = await pagesRead(database);
  await work();
  return (await pagesRead(database)) - before;
}

/** What was measured, and what is done before it is measured again. */
async function pagesWhileHeld(between: (database: Database) => Promise<void>): Promise<number[]> {
  await using clone = await createTestDatabase();
  const one = { connectionsMax: 1, applicationName: 'oja test', onPoolError: () => undefined };
  // One connection, whose pages are counted together.
  await using database = openDatabase({ ...one, connectionString: clone.connectionString });
  await using other = openDatabase({ ...one, connectionString: clone.connectionString });
  const buyer = await openBuyer(database, 1_000_000n);
  await buy(database, buyer, MEASURED);
  const before = await pagesOf(database, () => buy(database, buyer, MEASURED));
  return await other.transaction(
    async (held) => {
      await held.query('select count(*) from merchants');
      await buy(database, buyer, BESIDE);
      await between(clone.database);
      // Plans are made anew.
      await buy(database, buyer, 1);
      const after = await pagesOf(database, () => buy(database, buyer, MEASURED));
      return [before / MEASURED, after / MEASURED];
    },
    { isolation: 'repeatable read', readOnly: true },
  );
}

function assertFlat([before = 0, after = 0]: readonly number[], t: TestContext): void {
  t.diagnostic(`${before} pages a batch before, ${after} while it is held`);
  assert.ok(after <= before * MORE_MAX, `${before} pages a batch, then ${after}`);
}

test('while somebody holds a snapshot, purchases read hardly more pages than before', async (t) => {
  assertFlat(await pagesWhileHeld(async () => undefined), t);
});

test('nor do they once the queue was analysed when nothing was in it', async (t) => {
  const figures = await pagesWhileHeld(async (database) => {
    // As many dead rows as a minute of purchases leaves.
    await database.query(`
      insert into pending_vends (merchant_id, environment, vend_id, wallet_id, charge, step, owner)
      select w.merchant_id, w.environment, gen_random_uuid(), w.account_id, 10, 'query', gen_random_uuid()
      from wallet_owners w
      cross join generate_series(1, 100000)`);
    await database.query('delete from pending_vends');
    await database.session((sql) => sql.query('vacuum analyze pending_vends'));
  });
  assertFlat(figures, t);
});
