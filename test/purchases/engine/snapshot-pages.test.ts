/**
 * A purchase reads hardly more pages while a snapshot is held, however many purchases were made
 * meanwhile.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { resolvePurchases } from '../../support/commit-purchases.ts';
import { createTestDatabase } from '../../support/database.ts';
import { accept, answer, type Buyer, openBuyer, purchase } from '../fixture.ts';

const BATCH = 4;
const MEASURED = 40;
const BESIDE = 800;
const MORE_MAX = 1.4;

/** Pages of all tables and their indexes that the one connection has read, from memory or disk. */
async function pagesRead(database: Database): Promise<number> {
  // The connection reports its counts right after this statement.
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
    await resolvePurchases(
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

test('purchases read hardly more pages while a snapshot is open', async (t) => {
  await using clone = await createTestDatabase();
  const one = { connectionsMax: 1, applicationName: 'oja test', onPoolError: () => undefined };
  // One connection, whose pages are counted together.
  await using database = openDatabase({ ...one, connectionString: clone.connectionString });
  await using other = openDatabase({ ...one, connectionString: clone.connectionString });
  const buyer = await openBuyer(database, 1_000_000n);
  await buy(database, buyer, MEASURED);
  const before = await pagesOf(database, () => buy(database, buyer, MEASURED));
  await other.transaction(
    async (held) => {
      await held.query('select count(*) from merchants');
      await buy(database, buyer, BESIDE);
      const after = await pagesOf(database, () => buy(database, buyer, MEASURED));
      t.diagnostic(`${before / MEASURED} pages a batch before, ${after / MEASURED} while it is held`);
      assert.ok(after <= before * MORE_MAX, `${before / MEASURED} pages a batch, then ${after / MEASURED}`);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
});
