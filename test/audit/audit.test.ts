/** The audit passes an intact database, and each check detects its own kind of corruption. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import type { Tx } from '../../src/db/database.ts';
import { rollUpHouseBalances } from '../../src/wallet/ledger/roll-up.ts';
import { isGate } from '../support/budget.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { bookOldTransfer, closeOldDay } from './closed-day.ts';
import { corruptions } from './corruptions.ts';
import { makeDeposits } from './deposits.ts';
import { makeDoubt } from './doubt.ts';
import { answer, buy, delivered, makePurchases, openShop } from './fixture.ts';
import { failedOf, inSpoilt } from './spoilt.ts';
import { makeVouchers } from './vouchers.ts';

/** Searches for one row among many in slices of three rows, which takes twenty times as long. */
const EACH_SLICED = isGate ? 100 : 1;

const database = await openFileDatabase();
await bookOldTransfer(database);
await closeOldDay(database);
const shop = await openShop(database);
const names = new Map([
  ...(await makePurchases(database, shop)),
  ...(await makeDeposits(database, shop)),
  ...(await makeVouchers(database, shop)),
  ...(await makeDoubt(database, shop)),
  ['shop', String(shop.merchantId)],
  ['wallet', String(shop.walletId)],
]);

test('passes every check on a correct database with purchases in every state', async () => {
  const states = await database.query<{ state: string }>(`
    select coalesce(o.reason, p.step) as state, count(*)::integer as purchases
    from purchases v
    left join purchase_outcomes o on o.purchase_id = v.id
    left join pending_purchases p on p.purchase_id = v.id
    group by 1
    order by 1`);
  assert.deepEqual(
    states.map((row) => row.state),
    [
      'customer_rejected',
      'delivered',
      'insufficient_funds',
      'not_found',
      'not_sent',
      'over_daily_cap',
      'over_purchase_cap',
      'query',
      'refused',
      'send',
    ],
  );
  for (const rowsPerSlice of [undefined, 1, 3]) {
    const sliced = await auditPurchases(database, { rowsPerSlice });
    assert.deepEqual(
      sliced.checks.filter((check) => !check.ok),
      [],
    );
  }
  const { checks } = await auditPurchases(database);
  assert.equal(new Set(checks.map((check) => check.name)).size, checks.length);
});

for (const [index, { what, red, sql }] of corruptions.entries()) {
  test(`detects: ${what}`, async () => {
    const found = await auditCorrupted(sql, index % EACH_SLICED === 0 ? 3 : undefined);
    assert.deepEqual([...found.keys()].sort(), [...red].sort());
    assert.ok([...found.values()].every((count) => count > 0));
  });
}

test('has a corruption for every check that only it and related checks detect', async () => {
  const { checks } = await auditPurchases(database);
  const seen = new Set(corruptions.flatMap((corruption) => corruption.red));
  assert.deepEqual(
    checks.map((check) => check.name).filter((name) => !seen.has(name)),
    [],
  );
});

test('accepts a contradiction that an operator acknowledged', async () => {
  const contradiction = `
    insert into further_answers (merchant_id, purchase_id, attempt, source, kind, code, message)
    values ($shop, '$refused', 1, 'callback', 'success', '000', '');
    insert into alarms (kind, merchant_id, purchase_id, message) values ('contradiction', $shop, '$refused', '')`;
  assert.deepEqual([...(await auditCorrupted(contradiction)).keys()], ['delivered-once']);
  const acknowledged = `${contradiction}; update alarms set acknowledged_at = now()`;
  assert.deepEqual([...(await auditCorrupted(acknowledged)).keys()], []);
  // An alarm of another kind says nothing about it.
  const other = acknowledged.replace("'contradiction'", "'overdue'");
  assert.deepEqual([...(await auditCorrupted(other)).keys()], ['delivered-once']);
});

test('counts all differences and lists a few', async () => {
  const { checks } = await inCorrupted(
    `insert into house_deltas (account_id, delta) select 100000 + n, 1 from generate_series(1, 120) as n`,
    (tx) => auditOn(tx),
  );
  const orphans = checks.find((check) => check.name === 'orphan-balances');
  assert.equal(orphans?.count, 120);
  assert.equal(orphans?.differences.length, 50);
  assert.deepEqual(orphans?.differences[0], {
    rows_of: 'house_deltas',
    merchant_id: null,
    missing: '100001',
  });
});

test('sees one moment while money moves, and blocks no purchase', async () => {
  const live = auditPurchases(database);
  const sliced = (async () => {
    const all = [];
    for (let round = 0; round < 3; round += 1) all.push(await auditPurchases(database, { rowsPerSlice: 2 }));
    return all;
  })();
  const moves = Array.from({ length: 20 }, (_, index) => buy(database, shop, `moving-${index}`));
  const ids = await Promise.all(moves);
  await Promise.all(ids.map((id) => answer(database, shop, id, 'success', delivered(shop, 9_700n))));
  assert.deepEqual(
    (await live).checks.filter((check) => !check.ok),
    [],
  );
  for (const { checks } of await sliced)
    assert.deepEqual(
      checks.filter((check) => !check.ok),
      [],
    );
  const rounds = await Promise.all([
    auditPurchases(database),
    rollUpHouseBalances(database),
    auditPurchases(database),
  ]);
  for (const round of [rounds[0], rounds[2]]) assert.ok(round.checks.every((check) => check.ok));
});

/** Runs `work` on a database that `sql` has corrupted, then undoes it. */
async function inCorrupted<T>(sql: string, work: (tx: Tx) => Promise<T>): Promise<T> {
  return await inSpoilt(database, names, sql, work);
}

function auditOn(tx: Tx, rowsPerSlice?: number): ReturnType<typeof auditPurchases> {
  return auditPurchases({ transaction: (work) => work(tx) }, { rowsPerSlice });
}

/** The names of the failed checks, with the number of differences that each found. */
async function auditCorrupted(sql: string, rowsPerSlice?: number): Promise<Map<string, number>> {
  return failedOf((await inCorrupted(sql, (tx) => auditOn(tx, rowsPerSlice))).checks);
}
