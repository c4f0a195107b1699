/**
 * MTN vending lines: who has them, and balances that are fresh, shared, kept for a while, and never
 * old.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../src/core/clock.ts';
import type { Database } from '../../src/db/database.ts';
import type { Provider } from '../../src/providers/provider.ts';
import { createMtnBalances } from '../../src/wallet/mtn-balance.ts';
import { addMtnLine, removeMtnLine } from '../../src/wallet/operations/set-mtn-line.ts';
import { openBuyer } from '../purchases/fixture.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { refusedAct, refusedFor } from '../support/refusals.ts';

const database = await openFileDatabase();

/** A merchant with two lines, and a provider whose words and silence are the test's. */
async function openLines(through: Database = database) {
  const buyer = await openBuyer(database, 0n);
  const [row] = await database.query<{ code: string }>('select code from merchants where id = $1', [
    buyer.merchantId,
  ]);
  const merchantCode = row?.code ?? '';
  const line = (phone: string) => ({ merchantCode, environment: 'live', phone }) as const;
  for (const phone of ['08031234567', '2348067654321']) {
    await database.transaction((tx) => addMtnLine(tx, { ...line(phone), clientName: 'Shop' }, 'ada'));
  }
  const answers = {
    balances: new Map([
      ['2348031234567', 500n],
      ['2348067654321', 70n],
    ]) as ReadonlyMap<string, bigint> | undefined,
  };
  const asked: (readonly string[])[] = [];
  const provider: Pick<Provider, 'mtnBalances'> = {
    mtnBalances: async (phones) => {
      asked.push(phones);
      await new Promise((resolve) => setTimeout(resolve, 20));
      return answers.balances;
    },
  };
  const time = { aheadMs: 0 };
  const balances = createMtnBalances({
    database: through,
    providers: new Map([['live', provider]]),
    clock: { ...systemClock, now: () => new Date(Date.now() + time.aheadMs) },
  });
  const owner = { merchantId: buyer.merchantId, environment: 'live' } as const;
  return { line, answers, asked, time, owner, find: () => balances.find(owner), balances };
}

const shown = [
  { phone: '2348031234567', clientName: 'Shop', balance: 500n },
  { phone: '2348067654321', clientName: 'Shop', balance: 70n },
];

test('makes one query for concurrent requests, and caches its answer for some seconds', async () => {
  const { asked, find, time } = await openLines();
  const answers = await Promise.all(Array.from({ length: 20 }, find));
  assert.ok(answers.every((lines) => lines.length === 2));
  assert.deepEqual(answers[0], shown);
  assert.deepEqual(asked, [['2348031234567', '2348067654321']]);
  await find();
  assert.equal(asked.length, 1);
  time.aheadMs = 6_000;
  await find();
  assert.equal(asked.length, 2);
});

test('a caller that read the balances before a renewal does not query again', async () => {
  const held = Promise.withResolvers<void>();
  let reads = 0;
  const slow = new Proxy(database, {
    get: (target, name) =>
      name !== 'query'
        ? Reflect.get(target, name)
        : async (statement: string, values: readonly unknown[]) => {
            reads += 1;
            const isFirst = reads === 1;
            const rows = await target.query(statement, values);
            if (isFirst) await held.promise;
            return rows;
          },
  });
  const { asked, find } = await openLines(slow);
  const first = find();
  assert.deepEqual(await find(), shown);
  held.resolve();
  assert.deepEqual(await first, shown);
  assert.equal(asked.length, 1);
});

test('keeps the last balance of a silent provider for a quarter of an hour', async () => {
  const { answers, find, time } = await openLines();
  await find();
  answers.balances = undefined;
  time.aheadMs = 600_000;
  assert.deepEqual(await find(), shown);
  time.aheadMs = 1_000_000;
  await assert.rejects(find(), refusedFor('mtn_balances_unknown'));
});

test('refuses without an answer, and invents no balance', async () => {
  const { answers, find } = await openLines();
  answers.balances = undefined;
  await assert.rejects(find(), refusedFor('mtn_balances_unknown'));
});

test('omits a line that the provider does not know, and returns the others', async () => {
  const { answers, find } = await openLines();
  answers.balances = new Map([['2348067654321', 70n]]);
  assert.deepEqual(await find(), shown.slice(1));
});

test('reports no lines without a query; lines belong to one environment', async () => {
  const { asked, balances, owner } = await openLines();
  assert.deepEqual(await balances.find({ ...owner, environment: 'test' }), []);
  assert.deepEqual(asked, []);
});

test('reports no lines where no provider reports balances, as for a merchant without lines', async () => {
  const { owner, find } = await openLines();
  const balances = createMtnBalances({ database, providers: new Map(), clock: systemClock });
  assert.deepEqual(await balances.find(owner), []);
  assert.deepEqual(await find(), shown);
  // Not even what was reported before.
  assert.deepEqual(await balances.find(owner), []);
});

test('adds a line once and removes it once; refuses an invalid number', async () => {
  const { line } = await openLines();
  const add = (phone: string) =>
    database.transaction((tx) => addMtnLine(tx, { ...line(phone), clientName: 'Shop' }, 'ada'));
  const remove = (phone: string) => database.transaction((tx) => removeMtnLine(tx, line(phone), 'ada'));
  await assert.rejects(add('+2348031234567'), refusedAct('line_exists', { phone: '2348031234567' }));
  await assert.rejects(add('0803'), refusedAct('phone_malformed'));
  await remove('08031234567');
  await assert.rejects(remove('08031234567'), refusedAct('no_line'));
  const entries = await database.query(
    `select action from audit_log where action like 'merchant.%mtn_line' and after ->> 'phone' = '2348031234567'
     or before ->> 'phone' = '2348031234567' order by id desc limit 1`,
  );
  assert.deepEqual(entries, [{ action: 'merchant.remove_mtn_line' }]);
});
