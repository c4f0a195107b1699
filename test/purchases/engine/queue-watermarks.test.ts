/**
 * The low watermark of the queue follows the waiting rows and skips none for long. While another
 * transaction holds a snapshot, taken rows are not read again.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { claimLanePurchases, findDueProviders } from '../../../src/purchases/engine/claim-store.ts';
import { QueueWatermarks } from '../../../src/purchases/engine/queue-watermarks.ts';
import { openCellOf } from '../../support/cell-of.ts';
import { createTestDatabase } from '../../support/database.ts';
import { accept, openBuyer, purchase } from '../fixture.ts';

const owner = newId();

/** A purchase that has been due for so long. */
async function wait(database: Database, dueForS: number): Promise<string> {
  const buyer = await openBuyer(database, 100n);
  const item = purchase(buyer, 10n, { mode: 'async' });
  await accept(database, item);
  await database.query(
    `update pending_purchases set due_at = now() - $2 * interval '1 second' where purchase_id = $1`,
    [item.id, dueForS],
  );
  return item.id;
}

async function claim(database: Database, dueFrom: Date | undefined): Promise<string[]> {
  const purchases = await database.transaction((tx) =>
    claimLanePurchases(tx, owner, {
      provider: 'sandbox',
      step: 'send',
      limit: 10,
      after: -1,
      leaseMs: 60_000,
      dueFrom,
    }),
  );
  return purchases.map(({ purchaseId }) => purchaseId);
}

test('keeps the watermark below the oldest waiting purchase, and near the current time if none waits', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const bounds = new QueueWatermarks(database, ['sandbox']);
  assert.equal(bounds.dueFrom('sandbox', 'send'), undefined);
  const [old] = [await wait(database, 600), await wait(database, 0)];
  await bounds.move();
  const from = bounds.dueFrom('sandbox', 'send');
  assert.ok(from && Date.now() - from.getTime() > 600_000);
  assert.equal((await claim(database, from)).length, 2);
  await bounds.move();
  const next = bounds.dueFrom('sandbox', 'send');
  assert.ok(next && next.getTime() - from.getTime() > 540_000);
  // A purchase that is due again is due now or later, above the bound.
  await database.query(`update pending_purchases set step = 'send', due_at = now() where purchase_id = $1`, [
    old,
  ]);
  assert.deepEqual(await claim(database, next), [old]);
});

test('a full scan finds a purchase that became visible below the watermark', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const bounds = new QueueWatermarks(database, ['sandbox']);
  await bounds.move();
  const late = await wait(database, 600);
  const lanes = () => [
    { provider: 'sandbox', step: 'send', dueFrom: bounds.dueFrom('sandbox', 'send') } as const,
  ];
  assert.deepEqual(await findDueProviders(database, lanes()), []);
  assert.deepEqual(await claim(database, bounds.dueFrom('sandbox', 'send')), []);
  while ((await findDueProviders(database, lanes())).length === 0) await bounds.move();
  assert.deepEqual(await claim(database, bounds.dueFrom('sandbox', 'send')), [late]);
});

test('an open snapshot does not make claims read finished rows again', async () => {
  await using clone = await createTestDatabase();
  await using other = openDatabase({
    connectionString: clone.connectionString,
    connectionsMax: 1,
    applicationName: 'snapshot',
    onPoolError: () => undefined,
  });
  const buyer = await openBuyer(clone.database, 10_000_000n);
  await using database = await openCellOf(clone, buyer.merchantId);
  await other.transaction(
    async (held) => {
      await held.query('select 1');
      for (let batch = 0; batch < 20; batch += 1) {
        await accept(database, ...Array.from({ length: 100 }, () => purchase(buyer, 10n, { mode: 'async' })));
      }
      await database.query(`
        update pending_purchases
        set due_at = now() - interval '1 minute'`);
      await database.query('delete from pending_purchases');
      const bounds = new QueueWatermarks(database, ['sandbox']);
      await bounds.move();
      const all = await pagesRead(database, undefined);
      const bounded = await pagesRead(database, bounds.dueFrom('sandbox', 'send'));
      assert.ok(all > 30, `${all} pages were read of 2,000 dead rows without a bound`);
      // Entries of the index are passed over; without a bound each is looked up in the table too.
      assert.ok(bounded * 3 < all * 2, `${bounded} pages were read with a bound, ${all} without`);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
});

async function pagesRead(database: Database, dueFrom: Date | undefined): Promise<number> {
  const from = dueFrom === undefined ? '-infinity' : dueFrom.toISOString();
  const look = `
    explain (analyze, buffers, format json)
    select *
    from find_due_providers('{sandbox}', '{send}', array['${from}'::timestamptz])`;
  return await database.transaction(async (tx) => {
    // The first one plans.
    await tx.query(look);
    const [row] = await tx.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(look);
    const plan = row?.['QUERY PLAN'][0]?.Plan ?? {};
    return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
  });
}
