/**
 * Reads and sums over cells that are on other servers. Here they are in one server, so whole tables
 * show what the cells have together.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { prepareDatabase } from '../../../src/app/open-storage.ts';
import { formatDay } from '../../../src/core/clock.ts';
import type { Queries } from '../../../src/db/database.ts';
import { CellLookup } from '../../../src/db/find-cells.ts';
import { withCells } from '../../../src/db/in-each-cell.ts';
import { readReportOf } from '../../../src/finance/reports/read-report.ts';
import { catchUp, RollUp } from '../../../src/finance/reports/roll-up.ts';
import { listWriters } from '../../../src/finance/reports/roll-up-store.ts';
import { type DeliveryRow, listDeliveries } from '../../../src/notifications/messages/delivery-store.ts';
import { builtInProviders } from '../../../src/providers/registry.ts';
import { countWaiting } from '../../../src/purchases/health/health-store.ts';
import { countPendingByAge } from '../../../src/purchases/history/watch-store.ts';
import { postRefund } from '../../../src/purchases/refunds/post-refund.ts';
import { listPendingPurchases } from '../../../src/purchases/search/pending-list-store.ts';
import { searchPurchases } from '../../../src/purchases/search/search-purchases.ts';
import { sell } from '../../catalog/margins/money.ts';
import { accept, type Buyer, openBuyer, purchase } from '../../purchases/fixture.ts';
import { createTestDatabase } from '../../support/database.ts';
import { openCellsOf } from '../../support/open-cells-of.ts';

const stack = new AsyncDisposableStack();
after(() => stack.disposeAsync());
const clone = stack.use(await createTestDatabase({ empty: true }));
const { database } = clone;
await prepareDatabase(database, builtInProviders, 4);
await database.query("update settings set name = 'roll_up_of_cells' where name = 'roll_up'");
const cells = await openCellsOf(clone, stack);
for (const [number, cell] of cells.entries()) {
  const own = `oja_cell_${number}.roll_up_checkpoints`;
  await database.query(`create table ${own} (like public.roll_up_checkpoints including all)`);
  await cell.query("insert into roll_up_checkpoints values ('-infinity')");
}
const lookup = new CellLookup(database);
const one = { charge: 1_00n, cost: 97n };

/** Buyers of several cells. */
const buyers: Buyer[] = [];
for (let count = 0; count < 6; count += 1) buyers.push(await openBuyer(database, 1_000_000_00n));
assert.ok(new Set(await Promise.all(buyers.map(({ merchantId }) => lookup.find(merchantId)))).size > 1);

async function cellOf({ merchantId }: Buyer) {
  const cell = cells[await lookup.find(merchantId)];
  assert.ok(cell);
  return cell;
}

async function sums(): Promise<string> {
  const [row] = await database.query<{ sums: string }>(`
    select concat_ws(' ',
      (select sum(successes) from report_sales),
      (select sum(charge) from report_sales),
      (select sum(amount) from report_ledger where code in ('purchase_cost', 'purchase_margin'))
    ) as sums`);
  return row?.sums ?? '';
}

/** Slices begin small, and each run has a limit. */
async function rollUpAll(job: RollUp, wanted: string): Promise<void> {
  for (let runs = 0; runs < 40 && (await sums()) !== wanted; runs += 1) await job.run(database);
  assert.equal(await sums(), wanted);
}

test('rolls up the sales of all cells once, and those that were late afterwards', async () => {
  const job = new RollUp(cells);
  const [first, second] = buyers;
  assert.ok(first && second);
  for (const buyer of buyers) {
    const cell = await cellOf(buyer);
    await sell(cell, cell, buyer, one);
  }
  await rollUpAll(job, '6 600 600');
  await job.run(database);
  assert.equal(await sums(), '6 600 600');

  const cell = await cellOf(first);
  await cell.transaction(async (tx) => {
    await sell(cell, tx, first, one);
    assert.equal((await listWriters(cell)).length, 1);
    const other = await cellOf(second);
    if (other !== cell) await sell(other, other, second, one);
    await job.run(database);
    await job.run(database);
  });
  await rollUpAll(job, cell === (await cellOf(second)) ? '7 700 700' : '8 800 800');
});

test('rolls up a refund with its purchase, of the same moment or an earlier one', async () => {
  const job = new RollUp(cells);
  const [buyer] = buyers;
  assert.ok(buyer);
  const cell = await cellOf(buyer);
  const [successes = 0] = (await sums()).split(' ').map(Number);
  const refund = async (purchaseId: string): Promise<void> => {
    const purchase = {
      merchantId: buyer.merchantId,
      environment: 'live',
      purchaseId,
      reference: 'r',
    } as const;
    const order = { purchase, kind: 'merchant', amount: 10n, reason: 'a test' } as const;
    await database.transaction((tx) => postRefund(tx, order, 'ada'));
  };
  const refunds = async (): Promise<string> => {
    const [row] = await database.query<{ sums: string }>(
      "select concat_ws(' ', sum(count), sum(amount)) as sums from report_refunds",
    );
    return row?.sums ?? '';
  };
  const ids = await sell(cell, cell, buyer, one, one);
  const [together = '', later = ''] = ids;
  await refund(together);
  await rollUpAll(job, `${successes + 2} ${(successes + 2) * 100} ${(successes + 2) * 100}`);
  assert.equal(await refunds(), '1 10');
  await refund(later);
  for (let runs = 0; runs < 40 && (await refunds()) !== '2 20'; runs += 1) await job.run(database);
  assert.equal(await refunds(), '2 20');
  assert.equal(Number((await sums()).split(' ')[0]), successes + 2);
});

test('lists the writers of all cells from the whole tables', async () => {
  const [buyer] = buyers;
  assert.ok(buyer);
  const cell = await cellOf(buyer);
  await cell.transaction(async (tx) => {
    await sell(cell, tx, buyer, one);
    assert.equal((await listWriters(database)).length, 1);
  });
  assert.deepEqual(await listWriters(database), []);
});

test('counts and finds the purchases of all cells as the whole tables do', async () => {
  for (const buyer of buyers) {
    const items = [1n, 2n, 3n].map((times) => purchase(buyer, times * 100n, { route: ['sandbox'] }));
    await accept(await cellOf(buyer), ...items);
  }
  const whole = { query: database.query.bind(database), transaction: database.transaction.bind(database) };
  const apart = { ...whole, cells };
  const now = new Date();
  assert.deepEqual(await countPendingByAge(apart, now), await countPendingByAge(whole, now));
  assert.deepEqual(
    await countWaiting(apart, ['sandbox', 'vtpass'], 1_000),
    await countWaiting(whole, ['sandbox', 'vtpass'], 1_000),
  );
  const listAll = async (from: typeof apart | typeof whole): Promise<string[]> => {
    const ids: string[] = [];
    let before: string | undefined;
    do {
      const page = await searchPurchases(from, {}, { before, limit: 4 });
      ids.push(...page.items.map(({ id }) => id));
      before = page.before;
    } while (before !== undefined);
    return ids;
  };
  const all = await listAll(whole);
  assert.ok(all.length >= 18);
  assert.deepEqual(await listAll(apart), all);

  for (const filter of [{}, { provider: 'sandbox' }]) {
    const listPending = async (from: typeof apart | typeof whole): Promise<string[]> => {
      const ids: string[] = [];
      let after: string | undefined;
      do {
        const page = await listPendingPurchases(from, filter, { after, limit: 5 });
        ids.push(...page.items.map(({ id }) => id));
        after = page.after;
      } while (after !== undefined);
      return ids;
    };
    const pending = await listPending(whole);
    assert.ok(pending.length >= 18);
    assert.deepEqual(await listPending(apart), pending);
  }
});

test('reports the sales and the pending purchases of all cells as the whole tables do', async () => {
  const whole = { query: database.query.bind(database), transaction: database.transaction.bind(database) };
  const now = new Date();
  const days = { environment: 'live', from: formatDay(now), to: formatDay(now) } as const;
  const columns = ['merchant', 'provider'] as const;
  const read = (from: Queries) =>
    from.transaction(
      async (tx) => {
        const { state: _, ...report } = await readReportOf(
          tx,
          days,
          columns,
          { after: undefined, limit: 100 },
          now,
        );
        return report;
      },
      { isolation: 'repeatable read', readOnly: true },
    );
  const report = await read(whole);
  assert.ok(report.rows.filter(({ pending }) => pending > 0n).length >= 6);
  assert.deepEqual(await read(withCells(whole, cells)), report);
});

test('catches up with the cells before a report', async () => {
  const [buyer] = buyers;
  assert.ok(buyer);
  const cell = await cellOf(buyer);
  const all = { withinMs: Number.POSITIVE_INFINITY };
  await catchUp(withCells(database, cells), all);
  const [successes = 0] = (await sums()).split(' ').map(Number);
  await sell(cell, cell, buyer, one);
  await catchUp(withCells(database, cells), all);
  assert.equal(Number((await sums()).split(' ')[0]), successes + 1);
});

test('lists the deliveries of all cells as the whole tables do', async () => {
  const whole = { query: database.query.bind(database), transaction: database.transaction.bind(database) };
  await database.query(`
    insert into deliveries (merchant_id, environment, purchase_id, channel, destination, hint, state, updated_at)
    select merchant_id, environment, id, 'email', 'x', 'x', 'refused', now() - n % 3 * interval '1 minute'
    from (select *, row_number() over (order by id) as n from purchases limit 12) as p`);
  const listAll = async (from: Queries): Promise<string[]> => {
    const ids: string[] = [];
    let after: DeliveryRow | undefined;
    do {
      const rows = await listDeliveries(from, { states: ['refused', 'unknown'], after, limit: 5 });
      ids.push(...rows.map((row) => row.purchase_id));
      after = rows.length < 5 ? undefined : rows.at(-1);
    } while (after !== undefined);
    return ids;
  };
  const listed = await listAll(whole);
  assert.equal(listed.length, 12);
  assert.deepEqual(await listAll(withCells(whole, cells)), listed);
});
