/**
 * The audit of cells that are on other servers finds what the audit of whole tables finds. Here the
 * cells are in one server, and each has the tables of its own that a cell at a worker has.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { prepareDatabase } from '../../src/app/open-storage.ts';
import { auditPurchases } from '../../src/audit/audit-purchases.ts';
import type { AuditResult } from '../../src/audit/findings.ts';
import { cellSchema } from '../../src/db/cell-schemas.ts';
import type { Queries, Tx } from '../../src/db/database.ts';
import { DatabaseUnavailableError } from '../../src/db/database-errors.ts';
import { CellLookup } from '../../src/db/find-cells.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import { isGate } from '../support/budget.ts';
import { createTestDatabase } from '../support/database.ts';
import { bookOldTransfer, closeOldDay } from './closed-day.ts';
import { corruptions } from './corruptions.ts';
import { makeDeposits } from './deposits.ts';
import { makeDoubt } from './doubt.ts';
import { makePurchases, openShop } from './fixture.ts';
import { failedOf, inSpoilt } from './spoilt.ts';
import { makeVouchers } from './vouchers.ts';

const CELLS = 2;
/** Every check is tested on whole tables too. */
const EACH = isGate ? 12 : 1;

const clone = await createTestDatabase({ empty: true });
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());
await prepareDatabase(database, builtInProviders, CELLS);
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
const [wallets] = await database.query<{ text: string }>(
  "select pg_get_viewdef('wallets'::regclass) as text",
);
for (let number = 0; number < CELLS; number += 1) {
  const schema = cellSchema(number);
  for (const table of ['alarms', 'audit_log', 'house_deltas']) {
    await database.query(`create table ${schema}.${table} (like public.${table} including all)`);
  }
  // In one server the wallets of all cells are in whole tables.
  for (const table of ['statement_marks', 'wallet_owners', 'wallet_states']) {
    await database.query(`
      create view ${schema}.${table} as
      select t.*, t.xmin, t.ctid
      from public.${table} t
      where satisfies_hash_partition('public.purchases'::regclass, ${CELLS}, ${number}, t.merchant_id)`);
  }
  await database.transaction(async (tx) => {
    await tx.query(`set local search_path = ${schema}, public`);
    await tx.query('drop view wallets');
    await tx.query(`create view wallets as ${wallets?.text}`);
  });
}
const own = await new CellLookup(database).find(shop.merchantId);

/** The coordinator and its cells, all in one transaction. */
function apart(tx: Tx): Queries {
  let turn: Promise<unknown> = Promise.resolve();
  const at = (path: string): Queries => {
    const query: Tx['query'] = async (statement, values) => {
      const before = turn;
      const run = async () => {
        await before.catch(() => undefined);
        await tx.query(`set local search_path = ${path}`);
        return await tx.query(statement, values);
      };
      const rows = run();
      turn = rows;
      // The caller states the type of the rows.
      return (await rows) as never;
    };
    return { query, transaction: async (work) => await work({ kind: 'tx', query }) };
  };
  const cells = Array.from({ length: CELLS }, (_, number) => at(`${cellSchema(number)}, public`));
  return { ...at('public'), cells };
}

async function auditApart(sql: string, rowsPerSlice?: number): Promise<readonly AuditResult[]> {
  const { checks } = await inSpoilt(database, names, sql, (tx) =>
    auditPurchases(apart(tx), { rowsPerSlice }),
  );
  return checks;
}

test('passes every check on correct cells', async () => {
  for (const rowsPerSlice of [undefined, 3]) {
    assert.deepEqual([...failedOf(await auditApart('select', rowsPerSlice)).keys()], []);
  }
});

for (const { what, red, sql } of corruptions.filter((_, index) => index % EACH === 0)) {
  test(`detects in cells: ${what}`, async () => {
    const found = failedOf(await auditApart(sql));
    assert.deepEqual([...found.keys()].sort(), [...red].sort());
  });
}

test('counts movements of house accounts that are still in a cell', async () => {
  const schema = cellSchema(own);
  const moved = `
    insert into ${schema}.house_deltas overriding system value select * from public.house_deltas;
    delete from public.house_deltas`;
  assert.deepEqual([...failedOf(await auditApart(moved)).keys()], []);
  const lost = `${moved}; delete from ${schema}.house_deltas where id = (select max(id) from ${schema}.house_deltas)`;
  assert.deepEqual([...failedOf(await auditApart(lost)).keys()].sort(), ['books-balance', 'house-balance']);
});

test('rejects if a cell does not answer', async () => {
  const broken: Queries = {
    query: () => Promise.reject(new Error('gone')),
    transaction: () => Promise.reject(new Error('gone')),
  };
  const whole = { query: database.query.bind(database), transaction: database.transaction.bind(database) };
  await assert.rejects(auditPurchases({ ...whole, cells: [whole, broken] }), DatabaseUnavailableError);
});
