/**
 * The newest state of a wallet counts, however many states there are, and while a snapshot prevents
 * the deletion of old ones.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { type Database, openDatabase } from '../../../src/db/database.ts';
import { constraintName } from '../../../src/db/database-errors.ts';
import { walletBalance } from '../../../src/wallet/balance.ts';
import { WalletPruning } from '../../../src/wallet/ledger/prune-wallet-states.ts';
import { openBuyer } from '../../purchases/fixture.ts';
import { changeWallet } from '../../support/change-wallet.ts';
import { createTestDatabase } from '../../support/database.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;

async function move(database: Database, walletId: bigint, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await changeWallet(database, walletId, { posted: 1n });
  }
}

async function states(database: Database, walletId: bigint): Promise<number> {
  const rows = await database.query('select 1 from wallet_states where wallet_id = $1', [walletId]);
  return rows.length;
}

/** The pages that a read of a wallet's newest state visits. */
async function pagesRead(database: Database, walletId: bigint): Promise<number> {
  const [row] = await database.query<{ 'QUERY PLAN': { Plan: Record<string, number> }[] }>(
    `explain (analyze, buffers, format json) select * from wallet_state(${walletId})`,
  );
  const plan = row?.['QUERY PLAN'][0]?.Plan ?? {};
  return (plan['Shared Hit Blocks'] ?? 0) + (plan['Shared Read Blocks'] ?? 0);
}

test('deletes old states in slices, and keeps the balance', async () => {
  const buyers = [await openBuyer(database, 1_000n), await openBuyer(database, 1_000n)];
  for (const { walletId } of buyers) await move(database, walletId, 20);
  const pruning = new WalletPruning(1, 5);
  while ((await pruning.run(database)).more) {
    // The next wallet.
  }
  for (const { walletId } of buyers) {
    assert.equal(await states(database, walletId), 5);
    assert.equal((await walletBalance(database, walletId))?.posted, 1_020n);
  }
  const [buyer] = buyers;
  assert.ok(buyer);
  await move(database, buyer.walletId, 3);
  while ((await pruning.run(database)).more) {
    // The next wallet.
  }
  assert.equal(await states(database, buyer.walletId), 5);
  assert.equal((await walletBalance(database, buyer.walletId))?.posted, 1_023n);
  // Another process knows nothing of the first one's runs.
  assert.equal((await new WalletPruning(10, 2).run(database)).more, false);
  assert.equal(await states(database, buyer.walletId), 2);
});

test('an open snapshot does not make a lookup of a wallet read more pages', async () => {
  // Own database: pages are counted.
  await using clone = await createTestDatabase();
  const { database } = clone;
  const buyer = await openBuyer(database, 1_000n);
  await using other = openDatabase({
    connectionString: clone.connectionString,
    connectionsMax: 1,
    applicationName: 'snapshot',
    onPoolError: () => undefined,
  });
  await other.transaction(
    async (held) => {
      assert.deepEqual(await held.query('select 1 as one'), [{ one: 1 }]);
      const pruning = new WalletPruning(10, 5);
      for (let round = 0; round < 6; round += 1) {
        await move(database, buyer.walletId, 200);
        await pruning.run(database);
      }
      const read = await pagesRead(database, buyer.walletId);
      assert.ok(read <= 6, `${read} pages were read`);
    },
    { isolation: 'repeatable read', readOnly: true },
  );
  assert.equal((await walletBalance(database, buyer.walletId))?.posted, 2_200n);
});

test('refuses a state below the floor', async () => {
  const { walletId } = await openBuyer(database, 1_080n);
  await changeWallet(database, walletId, { held: 1_080n, floor: -500n });
  assert.deepEqual(await walletBalance(database, walletId), { posted: 1_080n, held: 1_080n, floor: -500n });
  await assert.rejects(
    changeWallet(database, walletId, { held: 501n }),
    (error) => constraintName(error) === 'wallets_above_floor',
  );
});

test('of two writers without the lock the second is refused, and nothing is lost', async () => {
  const { walletId } = await openBuyer(database, 1_000n);
  const change = 'insert into wallet_states select * from next_wallet_state($1, 7, 0)';
  await assert.rejects(
    database.transaction(
      async (late) => {
        await late.query('select 1');
        await database.query(change, [walletId]);
        await late.query(change, [walletId]);
      },
      { isolation: 'repeatable read' },
    ),
    (error) => constraintName(error) === 'wallet_states_pkey',
  );
  assert.equal((await walletBalance(database, walletId))?.posted, 1_007n);
});

test('refuses a second owner of a wallet', async () => {
  const [own, other] = [await openBuyer(database, 0n), await openBuyer(database, 0n)];
  const owner = `insert into wallet_owners (account_id, merchant_id, environment, currency) values ($1, $2, 'live', 'USD')`;
  await assert.rejects(
    database.query(owner, [own.walletId, own.merchantId]),
    (error) => constraintName(error) === 'wallet_owners_pkey',
  );
  await assert.rejects(
    database.query(owner, [own.walletId, other.merchantId]),
    (error) => constraintName(error) === 'wallet_owners_account_id_fkey',
  );
});
