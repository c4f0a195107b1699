/**
 * The leased queue on a real database: which process has an item, for how long, and the item's
 * state after that process dies.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import type { Sql } from '../../../src/db/database.ts';
import { type Claimed, defineQueue, doublingPause } from '../../../src/db/queue/leased-queue.ts';
import { claimDue, findExpired, settleItem, takeItem } from '../../../src/db/queue/queue-store.ts';
import { createTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';
import { createTables, type Errand, errands, letters } from './tables.ts';

const clone = await createTestDatabase();
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());
await createTables(database);

beforeEach(async () => {
  await database.query('truncate errands, letters, alarms');
});

const LEASE_MS = 60_000;

async function errand(...ids: readonly number[]): Promise<void> {
  await database.query('insert into errands (id) select unnest($1::integer[])', [ids]);
}

async function claimErrands(limit = 10, leaseMs = LEASE_MS): Promise<Claimed<Errand>[]> {
  return await claimDue(database, errands, { limit, leaseMs, lanes: ['a'] });
}

async function claimedIds(limit?: number, leaseMs?: number): Promise<number[]> {
  return (await claimErrands(limit, leaseMs)).map(({ id }) => id);
}

/** As if the lease or the pause were over. */
async function passTime(table: 'errands' | 'letters'): Promise<void> {
  await database.query(`update ${table} set due_at = now() where due_at is not null`);
}

async function waitMs(id: number, sql: Sql = database): Promise<number | undefined> {
  const [row] = await sql.query<{ wait: number }>(
    'select (extract(epoch from due_at - now()) * 1000)::integer as wait from errands where id = $1',
    [id],
  );
  return row?.wait;
}

async function alarms(): Promise<string[]> {
  const rows = await database.query<{ message: string }>('select message from alarms order by id');
  return rows.map(({ message }) => message);
}

const alarm = (message: string) => ({ kind: 'test', message });

test('gives one item to only one of many concurrent workers, and every item to some worker', async () => {
  const ids = Array.from({ length: 200 }, (_, index) => index);
  await errand(...ids);
  const claims = await Promise.all(Array.from({ length: 16 }, () => claimedIds(20)));
  const held = claims.flat();
  assert.equal(new Set(held).size, held.length);
  assert.equal(held.length + (await claimedIds(200)).length, 200);
  assert.deepEqual(await claimedIds(), []);
});

test('claims the longest due items first, up to the limit, and none before it is due', async () => {
  await errand(1, 2, 3, 4);
  await database.query("update errands set due_at = now() - id * interval '1 minute'");
  await database.query("update errands set due_at = now() + interval '1 minute' where id = 4");
  assert.deepEqual((await claimedIds(2)).sort(), [2, 3]);
  assert.deepEqual(await claimedIds(), [1]);
  assert.deepEqual(await claimedIds(), []);
});

test('a claim takes items of its lanes only', async () => {
  await errand(1, 2);
  await database.query("update errands set shop = 'b' where id = 2");
  assert.deepEqual(await claimedIds(), [1]);
  const options = { limit: 10, leaseMs: LEASE_MS };
  assert.deepEqual(await claimDue(database, errands, options), []);
  const [other] = await claimDue(database, errands, { ...options, lanes: ['b', 'c'] });
  assert.deepEqual([other?.id, other?.shop, other?.tries], [2, 'b', 1]);
});

test('claims an item again after its lease expired, and its old holder changes nothing', async () => {
  await errand(1);
  const [old] = await claimErrands();
  assert.ok(old);
  assert.deepEqual(await claimErrands(), []);
  await passTime('errands');
  const [present] = await claimErrands();
  assert.ok(present);
  assert.deepEqual([old.tries, present.tries], [1, 2]);
  for (const settlement of [{}, { pauseMs: 0 }, { alarm: alarm('late') }]) {
    assert.equal(await settleItem(database, errands, old, settlement), false);
  }
  assert.deepEqual([await claimedIds(), await alarms()], [[], []]);
  assert.equal(await settleItem(database, errands, present, {}), true);
  assert.deepEqual(await database.query('select from errands'), []);
});

test('postpones an item by its pause, longer after each attempt', async () => {
  await errand(1);
  const pauseAfter = doublingPause(5_000, 600_000);
  const waited: number[] = [];
  for (let time = 0; time < 10; time += 1) {
    const [item] = await claimErrands();
    assert.ok(item);
    // The time of a transaction is that of its beginning.
    await database.transaction(async (tx) => {
      assert.equal(await settleItem(tx, errands, item, { pauseMs: pauseAfter(item.tries) }), true);
      waited.push(((await waitMs(1, tx)) ?? 0) / 1_000);
    });
    assert.deepEqual(await claimErrands(), []);
    await passTime('errands');
  }
  assert.deepEqual(waited, [5, 10, 20, 40, 80, 160, 320, 600, 600, 600]);
});

test('giving up raises one alarm, even if several processes report it again and again', async () => {
  await errand(1);
  const [old] = await claimErrands();
  await passTime('errands');
  const [item] = await claimErrands();
  assert.ok(old && item);
  const results = await Promise.all(
    [old, item, item, item].map((held) => settleItem(database, errands, held, { alarm: alarm('given up') })),
  );
  assert.deepEqual(results.filter((settled) => settled).length, 1);
  assert.deepEqual(await alarms(), ['given up']);
});

test('raises the alarm of a continuing item once, and another when it is given up', async () => {
  await errand(1);
  for (let time = 0; time < 3; time += 1) {
    const [item] = await claimErrands();
    assert.ok(item);
    await settleItem(database, errands, item, { pauseMs: 0, alarm: alarm('slow') });
  }
  assert.deepEqual(await alarms(), ['slow']);
  const [last] = await claimErrands();
  assert.ok(last);
  await settleItem(database, errands, last, { alarm: alarm('given up') });
  assert.deepEqual(await alarms(), ['slow', 'given up']);
});

test('a rolled-back settlement leaves item and alarm unchanged', async () => {
  await errand(1);
  const [item] = await claimErrands();
  assert.ok(item);
  await assert.rejects(
    database.transaction(async (tx) => {
      assert.equal(await settleItem(tx, errands, item, { alarm: alarm('given up') }), true);
      throw new Error('undone');
    }),
    /undone/,
  );
  assert.deepEqual(await alarms(), []);
  assert.equal(await settleItem(database, errands, item, { alarm: alarm('given up') }), true);
  assert.deepEqual(await alarms(), ['given up']);
});

test('claims one item before it is due, but not from another holder', async () => {
  await errand(1, 2);
  await database.query("update errands set due_at = now() + interval '1 hour'");
  const take = (id: number) => takeItem(database, errands, { id }, LEASE_MS);
  const both = await Promise.all([take(1), take(1)]);
  assert.equal(both.filter((item) => item !== undefined).length, 1);
  assert.equal(await take(1), undefined);
  await passTime('errands');
  assert.equal((await take(1))?.tries, 2);
  await database.query('update errands set due_at = null where id = 2');
  assert.equal(await take(2), undefined);
  assert.equal(await take(3), undefined);
});

test('keeps the item of a killed process until its lease ends', {
  timeout: 60_000,
}, async () => {
  await errand(1);
  const script = join(import.meta.dirname, 'holder.ts');
  const holder = spawn(process.execPath, [script, clone.connectionString, String(LEASE_MS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(holder, 'exit');
  let said = '';
  holder.stdout.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  await until('the errand is held', () => said === 'holds 1\n');
  holder.kill('SIGKILL');
  await exited;
  assert.deepEqual(await claimErrands(), []);
  await passTime('errands');
  const [again] = await claimErrands();
  assert.deepEqual([again?.id, again?.tries], [1, 2]);
});

test('a lease ends by itself, at its time', async () => {
  await errand(1);
  const takenAt = performance.now();
  assert.deepEqual(await claimedIds(1, 500), [1]);
  await until('it is claimed again', async () => (await claimedIds()).length === 1);
  assert.ok(performance.now() - takenAt >= 500);
});

async function letter(): Promise<string> {
  const id = newId();
  await database.query('insert into letters (merchant_id, purchase_id) values (7, $1)', [id]);
  return id;
}

const claimLetters = () => claimDue(database, letters, { limit: 10, leaseMs: LEASE_MS });

async function stateOf(id: string): Promise<{ state: string; due: boolean; changed: boolean } | undefined> {
  const [row] = await database.query<{ state: string; due: boolean; changed: boolean }>(
    `select state, coalesce(due_at <= now(), false) as due, changed_at is not null as changed
     from letters
     where purchase_id = $1`,
    [id],
  );
  return row;
}

const lost = { set: { state: 'unknown' }, alarm: alarm('lost') } as const;

test('settles an item that must not run twice once as possibly done, and does not claim it again', async () => {
  const id = await letter();
  const [item] = await claimLetters();
  assert.ok(item);
  assert.deepEqual(await stateOf(id), { state: 'sending', due: false, changed: true });
  assert.deepEqual(await findExpired(database, letters, 10), []);
  assert.equal(await settleItem(database, letters, item, lost, { expired: true }), false);
  await passTime('letters');
  assert.deepEqual(await claimLetters(), []);
  assert.equal(await takeItem(database, letters, item, LEASE_MS), undefined);
  const [expired] = await findExpired(database, letters, 10);
  assert.deepEqual([expired?.purchase_id, expired?.lease_id], [id, item.lease_id]);
  const settled = await Promise.all(
    [item, item, item].map((held) => settleItem(database, letters, held, lost, { expired: true })),
  );
  assert.deepEqual(settled.sort(), [false, false, true]);
  assert.deepEqual([(await stateOf(id))?.state, await alarms()], ['unknown', ['lost']]);
});

test('accepts a holder that was only delayed, and does not overrule it', async () => {
  const [early, late] = [await letter(), await letter()];
  const items = new Map((await claimLetters()).map((item) => [item.purchase_id, item]));
  const [first, second] = [items.get(early), items.get(late)];
  assert.ok(first && second);
  await passTime('letters');
  // One holder stores its result before it is declared dead, the other after.
  assert.equal(await settleItem(database, letters, first, { set: { state: 'sent' } }), true);
  for (const item of [first, second]) await settleItem(database, letters, item, lost, { expired: true });
  assert.equal(await settleItem(database, letters, second, { ...lost, set: { state: 'sent' } }), true);
  assert.deepEqual([(await stateOf(early))?.state, (await stateOf(late))?.state], ['sent', 'sent']);
  // Repeated, because the answer was lost.
  await settleItem(database, letters, second, { ...lost, set: { state: 'sent' } });
  assert.deepEqual(await alarms(), ['lost']);
});

test('a restarted item forgets its holder', async () => {
  const id = await letter();
  const [item] = await claimLetters();
  assert.ok(item);
  await passTime('letters');
  await settleItem(database, letters, item, lost, { expired: true });
  await database.query("update letters set state = 'due', due_at = now(), lease_id = null");
  assert.equal(await settleItem(database, letters, item, { set: { state: 'sent' } }), false);
  const [again] = await claimLetters();
  assert.deepEqual([again?.purchase_id, again?.tries], [id, 2]);
});

test('refuses a queue with malformed names', () => {
  const queue = {
    table: 'errands',
    key: ['id'],
    columns: ['shop'],
    repeatable: true,
    deletes: true,
  } as const;
  for (const bad of [
    { table: 'errands; drop table purchases' },
    { table: 'Errands' },
    { claimed: { "state = 'x', id": 1 } },
    { changedAt: 'now()' },
  ]) {
    assert.throws(() => defineQueue<Errand, 'id'>({ ...queue, ...bad }), { name: 'Error' });
  }
  defineQueue<Errand, 'id'>({ ...queue });
});

test('refuses a malformed column name when it is set', async () => {
  await errand(1);
  const [item] = await claimErrands();
  assert.ok(item);
  await assert.rejects(settleItem(database, errands, item, { pauseMs: 0, set: { "shop = 'x' --": 'y' } }), {
    name: 'Error',
  });
});

test('finds due items among very many others by the index of due items', async () => {
  await database.query(
    "insert into errands (id, due_at) select n, case when n % 2 = 0 then now() + interval '1 day' end from generate_series(1, 50000) as n",
  );
  await database.query('analyze errands');
  await errand(0);
  const plan = await database.query<{ 'QUERY PLAN': string }>(
    "explain select id from errands where due_at <= now() and shop = any('{a}'::text[]) order by due_at limit 20 for update skip locked",
  );
  assert.match(plan.map((line) => line['QUERY PLAN']).join('\n'), /Index Scan using errands_due_idx/);
  assert.deepEqual(await claimedIds(), [0]);
});
