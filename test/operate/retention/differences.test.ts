/**
 * Reported data of persons whose purchase is unknown here: deleted after its retention, and
 * exported.
 */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import { Forgetting, type Periods } from '../../../src/operate/retention/forget-old.ts';
import { runOja } from '../../cli/harness.ts';
import { createTestDatabase } from '../../support/database.ts';
import { refusedBySchema } from '../../support/refusals.ts';
import { fixtureKey, folderOf } from '../../support/release-fixture.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const purchases: Periods = { purchases: 30, customers: 0, deliveries: 0, identities: 0 };
const customers: Periods = { ...purchases, purchases: 0, customers: 30 };
let settings: Readonly<Record<string, string>>;

before(async () => {
  settings = {
    DATABASE_URL: clone.connectionString,
    OJA_ENCRYPTION_KEY: fixtureKey,
    OJA_DATA_DIR: await folderOf({}),
  };
});

beforeEach(async () => {
  await database.session(async (sql) => {
    await sql.query("set session_replication_role = 'replica'");
    await sql.query('delete from reconciliation_differences');
    await sql.query('delete from reconciliation_runs');
    await sql.query('delete from restore_locks');
    await sql.query("set session_replication_role = 'origin'");
  });
  await database.query(
    `insert into restore_locks (id, cause, source, reason, lost_from, raised_by, lifted_at)
     values ($1, 'by_hand', 'test', 'test', now(), 'test', now())`,
    [newId()],
  );
});

async function store(party: string): Promise<string> {
  const run = newId();
  await database.query(
    `insert into reconciliation_runs (id, party, environment, source, from_at, to_at, applied, lines, differences, summary, run_by, run_principal, started_at)
     values ($1, $2, 'live', 'file', now(), now(), false, 2, 2, '{}', 'test', 'test', now())`,
    [run, party],
  );
  return run;
}

const whole = { there: 'for Ada', listed: { recipient: '08030000011', amount: '100.00' } };

async function storeFindings(): Promise<void> {
  const run = await store('vtpass');
  for (const [number, reference, age] of [
    [1, 'old', 31],
    [2, 'young', 29],
  ] as const) {
    await database.query(
      `insert into reconciliation_differences (run_id, number, kind, reference, at, amount, effect, here, there, listed, verdict)
       values ($1, $2, 'unknown_here', $3, now() - $4 * interval '1 day', 100, 100, 'none', $5, $6, 'open')`,
      [run, number, reference, age, whole.there, whole.listed],
    );
  }
}

async function listed(): Promise<Record<string, unknown>> {
  const rows = await database.query<{ reference: string; there: string; listed: object }>(
    'select reference, there, listed from reconciliation_differences',
  );
  return Object.fromEntries(rows.map(({ reference, ...row }) => [reference, row]));
}

async function forget(periods: Periods): Promise<void> {
  const forgetting = new Forgetting(periods, () => new Date());
  while ((await forgetting.run(database)) !== 'done');
}

describe('orders that are not known here', () => {
  beforeEach(storeFindings);

  it('removes number and texts after their time, and keeps younger ones', async () => {
    await forget(purchases);
    assert.deepEqual(await listed(), { old: { there: '', listed: { amount: '100.00' } }, young: whole });
  });

  it('removes only the texts if numbers are kept', async () => {
    await forget(customers);
    assert.deepEqual(await listed(), { old: { ...whole, there: '' }, young: whole });
  });

  it('keeps everything while the restore lock is set', async () => {
    await database.query('update restore_locks set lifted_at = null');
    await forget(purchases);
    assert.deepEqual(await listed(), { old: whole, young: whole });
  });

  it('exports and erases them with the person', async () => {
    const oja = (...args: string[]) => runOja(settings, ['person', ...args]);
    const eraseAll = async (person: string): Promise<{ findings: number; kept: { kind: string }[] }> =>
      JSON.parse((await oja('erase', person, '--yes', '--json')).out).data;
    await database.session(async (sql) => {
      await sql.query("set session_replication_role = 'replica'");
      await sql.query(
        `update reconciliation_differences
         set listed = listed || '{"recipient": "08030000022"}'
         where reference = 'young'`,
      );
      await sql.query("set session_replication_role = 'origin'");
    });
    const ran = await oja('export', '+2348030000011', '--json');
    assert.equal(ran.code, 0, ran.err);
    const { data } = JSON.parse(ran.out) as { data: { kind: string; reference: string; says: object }[] };
    const [held, ...more] = data;
    assert.deepEqual(
      [held?.kind, held?.reference, held?.says, more],
      ['finding', 'old', { provider: 'vtpass', number: '08030000011', words: 'for Ada' }, []],
    );
    await database.query('update restore_locks set lifted_at = null');
    const kept = await eraseAll('08030000011');
    assert.deepEqual([kept.findings, kept.kept.map(({ kind }) => kind)], [0, ['finding']]);
    assert.equal((await listed()).old !== undefined && JSON.stringify(await listed()).includes('0011'), true);
    await database.query('update restore_locks set lifted_at = now()');
    assert.equal((await eraseAll('08030000011')).findings, 1);
    assert.deepEqual((await listed()).old, { there: '', listed: { amount: '100.00' } });
    assert.match(JSON.stringify((await listed()).young), /08030000022/);
  });
});

describe('differences of a reconciliation', () => {
  it('removes reported data after the retention period, and keeps kind and amount', async () => {
    const run = await store('paystack');
    await database.query(
      `insert into reconciliation_differences (run_id, number, kind, at, amount, effect, here, there)
       select $1, n, 'payment_missing_here', now() - d * interval '1 day', 100, 100, 'none', 'from Ada, 1.00'
       from (values (1, 31), (2, 29)) as a(n, d)`,
      [run],
    );
    await forget(purchases);
    const rows = await database.query(
      'select number, kind, amount, there from reconciliation_differences order by number',
    );
    const kind = 'payment_missing_here';
    assert.deepEqual(rows, [
      { number: 1, kind, amount: 100n, there: '' },
      { number: 2, kind, amount: 100n, there: 'from Ada, 1.00' },
    ]);
    for (const change of ["set there = ''", 'set amount = 1']) {
      await assert.rejects(database.query(`update reconciliation_differences ${change}`), refusedBySchema);
    }
  });
});
