/** What providers told of persons whose purchase is not known here: it goes, and is exported. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { newId } from '../../src/kernel/ids.ts';
import { Forgetting, type Periods } from '../../src/retention/forget-old.ts';
import { runOja } from '../cli/harness.ts';
import { createTestDatabase } from '../support/database.ts';
import { refusedBySchema } from '../support/refusals.ts';
import { fixtureKey, folderOf } from '../support/release-fixture.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const purchases: Periods = { purchases: 30, customers: 0, deliveries: 0, identities: 0 };
const customers: Periods = { ...purchases, purchases: 0, customers: 30 };
const fence = newId();
let settings: Readonly<Record<string, string>>;

before(async () => {
  settings = {
    DATABASE_URL: clone.connectionString,
    OJA_ENCRYPTION_KEY: fixtureKey,
    OJA_DATA_DIR: await folderOf({}),
  };
});

beforeEach(async () => {
  await database.query('delete from found_orders');
  await database.query('delete from restore_fences');
  await database.query(
    `insert into restore_fences (id, cause, source, reason, lost_from, raised_by, lifted_at)
     values ($1, 'by_hand', 'test', 'test', now(), 'test', now())`,
    [fence],
  );
  for (const [reference, age] of [
    ['old', 31],
    ['young', 29],
  ] as const) {
    await database.query(
      `insert into found_orders (provider, reference, fence_id, verdict, listed, at)
       values ('vtpass', $2, $1, 'left', $3, now() - $4 * interval '1 day')`,
      [fence, reference, { recipient: '08030000011', words: 'for Ada', amount: '100.00' }, age],
    );
  }
});

async function listed(): Promise<Record<string, unknown>> {
  const rows = await database.query<{ reference: string; listed: object }>(
    'select reference, listed from found_orders',
  );
  return Object.fromEntries(rows.map((row) => [row.reference, row.listed]));
}

const whole = { recipient: '08030000011', words: 'for Ada', amount: '100.00' };

async function forget(periods: Periods): Promise<void> {
  const forgetting = new Forgetting(periods, () => new Date());
  while ((await forgetting.run(database)) !== 'done');
}

describe('orders that were found after a restore', () => {
  it('lose number and words after their time, and a younger one does not', async () => {
    await forget(purchases);
    assert.deepEqual(await listed(), { old: { words: '', amount: '100.00' }, young: whole });
  });

  it('lose the words alone where numbers stay', async () => {
    await forget(customers);
    assert.deepEqual(await listed(), { old: { ...whole, words: '' }, young: whole });
  });

  it('keep all while the fence is up', async () => {
    await database.query('update restore_fences set lifted_at = null');
    await forget(purchases);
    assert.deepEqual(await listed(), { old: whole, young: whole });
  });

  it('are among what is held on a person, and go with it', async () => {
    const oja = (...args: string[]) => runOja(settings, ['person', ...args]);
    const eraseAll = async (person: string): Promise<{ found_orders: number; kept: { kind: string }[] }> =>
      JSON.parse((await oja('erase', person, '--yes', '--json')).out).data;
    await database.query(
      'update found_orders set listed = listed || \'{"recipient": "08030000022"}\' where reference = \'young\'',
    );
    const ran = await oja('export', '+2348030000011', '--json');
    assert.equal(ran.code, 0, ran.err);
    const { data } = JSON.parse(ran.out) as { data: { kind: string; reference: string; says: object }[] };
    const [held, ...more] = data;
    assert.deepEqual(
      [held?.kind, held?.reference, held?.says, more],
      ['found_order', 'old', { provider: 'vtpass', number: '08030000011', words: 'for Ada' }, []],
    );
    await database.query('update restore_fences set lifted_at = null');
    const kept = await eraseAll('08030000011');
    assert.deepEqual([kept.found_orders, kept.kept.map(({ kind }) => kind)], [0, ['found_order']]);
    assert.equal((await listed()).old !== undefined && JSON.stringify(await listed()).includes('0011'), true);
    await database.query('update restore_fences set lifted_at = now()');
    assert.equal((await eraseAll('08030000011')).found_orders, 1);
    assert.deepEqual((await listed()).old, { words: '', amount: '100.00' });
    assert.match(JSON.stringify((await listed()).young), /08030000022/);
  });
});

describe('differences of a reconciliation', () => {
  it('lose what was told after their time, and keep their kind and amount', async () => {
    const run = newId();
    await database.query(
      `insert into reconciliation_runs (id, party, environment, source, from_at, to_at, applied, lines, differences, summary, run_by, run_principal, started_at)
       values ($1, 'paystack', 'live', 'file', now(), now(), false, 2, 2, '{}', 'test', 'test', now())`,
      [run],
    );
    await database.query(
      `insert into reconciliation_differences (run_id, number, kind, at, amount, effect, here, there, mend)
       select $1, n, 'payment_missing_here', now() - d * interval '1 day', 100, 100, 'none', 'from Ada, 1.00', 'do --reason Ada'
       from (values (1, 31), (2, 29)) as a(n, d)`,
      [run],
    );
    await forget(purchases);
    const rows = await database.query(
      'select number, kind, amount, there, mend from reconciliation_differences order by number',
    );
    const kind = 'payment_missing_here';
    assert.deepEqual(rows, [
      { number: 1, kind, amount: 100n, there: '', mend: null },
      { number: 2, kind, amount: 100n, there: 'from Ada, 1.00', mend: 'do --reason Ada' },
    ]);
    for (const change of ["set there = ''", 'set amount = 1']) {
      await assert.rejects(database.query(`update reconciliation_differences ${change}`), refusedBySchema);
    }
  });
});
