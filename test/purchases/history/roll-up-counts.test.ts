/** The number of a list is right before, during and after its deltas are added up. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openDatabase } from '../../../src/db/database.ts';
import { countPurchases } from '../../../src/purchases/history/purchase-list-store.ts';
import { CountRollUp } from '../../../src/purchases/history/roll-up-counts.ts';
import { createTestDatabase } from '../../support/database.ts';
import { accept, answer, openBuyer, purchase, resolveWords } from '../fixture.ts';

test('takes deltas once, in slices, also by several at once', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const buyers = [await openBuyer(database, 1_000n), await openBuyer(database, 1_000n)];
  for (const buyer of buyers) {
    for (let batch = 0; batch < 4; batch += 1) {
      const items = [purchase(buyer, 10n), purchase(buyer, 10n)];
      await accept(database, ...items);
      await resolveWords(database, answer(buyer, items[0] ?? purchase(buyer, 10n), 'success'));
    }
  }
  const counted = async (): Promise<number[][]> => {
    const numbers = [];
    for (const buyer of buyers) {
      numbers.push([
        await countPurchases(database, buyer, {}),
        await countPurchases(database, buyer, { status: 'success' }),
        await countPurchases(database, buyer, { status: 'pending' }),
      ]);
    }
    return numbers;
  };
  const right = [
    [8, 4, 4],
    [8, 4, 4],
  ];
  assert.deepEqual(await counted(), right);
  const first = new CountRollUp(3);
  assert.deepEqual(await first.run(database), { consumed: 3, more: true });
  assert.deepEqual(await counted(), right);
  const runs = await Promise.all([1, 2, 3].map(() => new CountRollUp(5).run(database)));
  assert.deepEqual(await counted(), right);
  const rest = await new CountRollUp().run(database);
  const taken = runs.reduce((sum, run) => sum + run.consumed, 3 + rest.consumed);
  assert.equal(taken, 16);
  assert.deepEqual(await database.query('select 1 from purchase_count_deltas'), []);
  assert.deepEqual(await counted(), right);
});

test('takes many deltas as fast with statistics of an empty table', async () => {
  await using clone = await createTestDatabase();
  await using database = openDatabase({
    connectionString: clone.connectionString,
    connectionsMax: 1,
    applicationName: 'oja test',
    // Enough for a hundred times the expected time, and too little to compare each delta with each.
    statementTimeoutMs: 8_000,
    onPoolError: () => undefined,
  });
  const { merchantId } = await openBuyer(database, 1_000n);
  const deltas = 20_000;
  const leave = (): Promise<unknown> =>
    database.query(
      `insert into purchase_count_deltas (merchant_id, environment, network, status, count)
       select $1, 'live', 'MTN', 'accepted', 1
       from generate_series(1, $2::integer)`,
      [merchantId, deltas],
    );
  const roll = (): Promise<unknown> => new CountRollUp(deltas).run(database);
  await leave();
  assert.deepEqual(await roll(), { consumed: deltas, more: true });
  // Many pages, and no row on them.
  await database.session((sql) => sql.query('vacuum analyze purchase_count_deltas'));
  await leave();
  assert.deepEqual(await roll(), { consumed: deltas, more: true });
});
