/**
 * Personal data is deleted after its time, and nothing else. The data is a release's database with
 * purchases of every kind, final and pending, and a running gateway.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Database, Queries } from '../../../src/db/database.ts';
import { Forgetting, type Periods } from '../../../src/operate/retention/forget-old.ts';
import { runOja } from '../../cli/harness.ts';
import { auditDifferences, untilNothingPending } from '../../support/books.ts';
import { createTestDatabase } from '../../support/database.ts';
import { type Gateway, type RunningGateway, runGateway, startGateway } from '../../support/gateway.ts';
import { indexAll } from '../../support/index-all.ts';
import { freePort } from '../../support/processes.ts';
import { refusedBySchema } from '../../support/refusals.ts';
import { loadDump } from '../../support/release-dump.ts';
import { fixtureKey, folderOf, openBooks, readRelease } from '../../support/release-fixture.ts';
import { until } from '../../support/until.ts';

const DAYS = 30;
const never: Periods = { purchases: 0, customers: 0, deliveries: 0, identities: 0 };
const all: Periods = { purchases: DAYS, customers: DAYS, deliveries: DAYS, identities: DAYS };

const stack = new AsyncDisposableStack();
let gateway: Gateway;
let database: Database;
/** Data of the release is older than this, and purchases of the tests are younger. */
let boughtAt: Date;
let settings: Readonly<Record<string, string>>;

before(async () => {
  const fixture = await readRelease('1.0.0');
  const clone = stack.use(await createTestDatabase({ empty: true }));
  database = clone.database;
  await loadDump(database, fixture.dump);
  const port = await freePort();
  const simulator = stack.use(await openBooks(fixture, port));
  const dataDir = await folderOf({ 'credentials.json': JSON.stringify(fixture.credentials) });
  settings = {
    OJA_DATA_DIR: dataDir,
    DATABASE_URL: clone.connectionString,
    OJA_ENCRYPTION_KEY: fixtureKey,
    OJA_SIMULATOR_URL: simulator.url,
    OJA_NOT_FOUND_GRACE_S: '10',
  };
  gateway = stack.use(
    // Own gateway: retention deletes rows of every merchant.
    await startGateway({
      databaseUrl: clone.connectionString,
      dataDir,
      simulatorUrl: simulator.url,
      settings: { ...settings, OJA_ROLE: 'api', PORT: String(port) },
    }),
  );
  boughtAt = new Date();
  for (const request_ref of ['young-1', 'young-2']) {
    const body = { merchant: 'DEMO', network: 'mtn', msisdn: '08030000005', amount: '100', request_ref };
    const bought = await gateway.call('POST', '/v1/transactions/airtime/sync', { as: 'live', body });
    assert.equal(bought.status, 200, bought.text);
  }
});

after(() => stack.disposeAsync());

/** As if the tests' purchases had been made that many days ago. */
function forgetting(periods: Periods, rows = 7): Forgetting {
  return new Forgetting(periods, () => new Date(boughtAt.getTime() + DAYS * 86_400_000), rows);
}

describe('the retention of personal data', () => {
  it('is off by default and changes nothing', async () => {
    const was = await fingerprint();
    assert.equal(await forgetting(never).run(database), 'done');
    assert.deepEqual(await fingerprint(), was);
  });

  it('runs in one process at a time, and continues where another was killed', async () => {
    await indexAll(database);
    const told = await tellAmounts();
    await database.transaction(async (tx) => {
      await tx.query("select from settings where name = 'retention' for update");
      assert.equal(await forgetting(all).run(database), 'busy');
    });
    assert.equal((await findMasked()).length, 0);
    let slices = 0;
    const dying: Queries = {
      query: (statement, values) => database.query(statement, values),
      transaction: (work, options) =>
        database.transaction(async (tx) => {
          const result = await work(tx);
          slices += 1;
          if (slices === 13) throw new Error('killed');
          return result;
        }, options),
    };
    await assert.rejects(forgetAll(dying), /killed/);
    assert.ok((await findMasked()).length > 0, 'it was killed in the middle');
    await forgetAll();
    assert.deepEqual(await tellAmounts(), told);
  });

  it('removes every number, name, address and destination of old final purchases', async () => {
    const open = await database.query<{ recipient: string }>('select recipient from pending_purchases');
    const pending = new Set(open.map(({ recipient }) => recipient));
    for (const needle of [
      '8030000011',
      '45010000001',
      '8035550101',
      '8039876543',
      'ada@example.com',
      'ODlEFZqh',
    ]) {
      assert.ok(![...pending].some((recipient) => recipient.includes(needle)));
      assert.deepEqual([needle, ...(await tablesWith(needle))], [needle]);
    }
    assert.deepEqual(await database.query('select from funding_identities'), []);
    const customers = await database.query<{ reference: string }>(
      "select reference from purchases where details ?| array['customer', 'phone']",
    );
    // It is still owed a token.
    assert.deepEqual(customers, [{ reference: 'meter-late' }]);
  });

  it('shows merchants a masked number, and everything else unchanged', async () => {
    const path = '/v1/transactions/status?request_ref=airtime-5';
    const { body } = await gateway.call('GET', path, { as: 'live' });
    assert.deepEqual(
      [body.state, body.payload.msisdn, body.payload.amount],
      ['success', '0803*******', '105.00'],
    );
    const meter = await gateway.call('GET', '/v1/transactions/status?request_ref=meter-1', { as: 'live' });
    assert.deepEqual([meter.body.payload.msisdn, meter.body.payload.token.length], ['***********', 20]);
    const list = await gateway.call('GET', '/v1/transactions?limit=100', { as: 'live' });
    assert.equal(list.status, 200);
    const found = await gateway.call('GET', '/v1/transactions?msisdn=08030000005', { as: 'live' });
    const references = found.body.result.items.map((item: { request_id: string }) => item.request_id);
    assert.deepEqual(references.sort(), ['young-1', 'young-2']);
  });

  it('keeps references used', async () => {
    const body = { merchant: 'DEMO', network: 'glo', msisdn: '08030000005', amount: '105' };
    const again = { ...body, request_ref: 'airtime-5' };
    const answer = await gateway.call('POST', '/v1/transactions/airtime/sync', { as: 'live', body: again });
    assert.equal(answer.status, 422, answer.text);
    assert.equal(answer.body.data.status, 'success');
    assert.deepEqual(answer.body.data.uncompared_fields, ['msisdn']);
  });

  it('keeps the books whole', async () => {
    assert.deepEqual(await auditDifferences(database), []);
    const audit = await oja('audit');
    assert.equal(audit.code, 0, audit.out);
    const statement = await oja('wallet', 'statement', 'DEMO', '--env', 'live', '--json');
    assert.equal(statement.code, 0, statement.err);
  });

  it('skips pending purchases until they are final', { timeout: 240_000 }, async () => {
    const [row] = await database.query<{ msisdn: string }>(
      "select msisdn from purchases where reference = 'waits-31'",
    );
    assert.equal(row?.msisdn, '08030000031');
    const worker: RunningGateway = stack.use(runGateway({ ...settings, OJA_ROLE: 'worker' }));
    await worker.ready;
    await untilNothingPending(database, 60_000, gateway.url);
    await until('nothing is owed', async () => {
      // Repeats, because the worker may hold one at the moment.
      await database.query('update pending_fulfilments set due_at = now() where lease_id is null');
      return (await database.query('select from pending_fulfilments')).length === 0;
    });
    await forgetAll();
    assert.deepEqual(await tablesWith('8030000031'), []);
    // The alarm of its late token is open, so a person must still see it.
    const left = await database.query<{ reference: string }>(
      `select distinct v.reference
       from retention_left l
       join purchases v
         on v.merchant_id = l.merchant_id
         and v.id = l.purchase_id`,
    );
    assert.deepEqual(left, [{ reference: 'meter-late' }]);
    await database.query('update alarms set acknowledged_at = now()');
    await forgetAll();
    assert.deepEqual(await database.query('select from retention_left'), []);
    assert.deepEqual(await tablesWith('45010000003'), []);
    const found = await until('the search has looked at all', async () => {
      const { out } = await oja('purchase', 'list', '--phone', '08030000005', '--json');
      const page = JSON.parse(out) as { data: { reference: string }[]; searched_until: string | null };
      return page.searched_until === null && page.data.map(({ reference }) => reference);
    });
    assert.deepEqual(found, ['young-2', 'young-1']);
    assert.deepEqual(await auditDifferences(database), []);
  });

  it('makes the only change that append-only tables allow, and only when announced', async () => {
    for (const change of [
      "update purchases set msisdn = '1'",
      "set local oja.anonymising = 'on'; update purchases set charge = 1",
      "update purchase_outcomes set recipient = '1'",
      "set local oja.anonymising = 'on'; update purchase_outcomes set answer_kind = 'failed'",
      "set local oja.anonymising = 'on'; update further_answers set kind = 'failed'",
      "set local oja.anonymising = 'on'; delete from purchases",
      "set local oja.anonymising = 'on'; update transfers set memo = ''",
    ]) {
      await assert.rejects(
        database.transaction((tx) => tx.query(change)),
        refusedBySchema,
        change,
      );
    }
  });
});

async function forgetAll(queries: Queries = database): Promise<void> {
  await until('all is forgotten', async () => (await forgetting(all).run(queries)) === 'done');
}

async function findMasked(): Promise<object[]> {
  return await database.query("select from purchases where msisdn like '%*%'");
}

function oja(...args: readonly string[]): ReturnType<typeof runOja> {
  return runOja(settings, args);
}

/** All values of any table, in any column. The fraction of a measured time can have any digits. */
async function tablesWith(needle: string): Promise<string[]> {
  const found: string[] = [];
  for (const name of await tableNames()) {
    const rows = await database.query(
      `select from ${name} as t where position($1 in regexp_replace(t::text, '[.][0-9]{3,}', '', 'g')) > 0 limit 1`,
      [needle],
    );
    if (rows.length > 0) found.push(name);
  }
  return found;
}

async function tableNames(): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    "select tablename as name from pg_tables where schemaname = 'public' order by 1",
  );
  return rows.map(({ name }) => name);
}

async function fingerprint(): Promise<object[]> {
  const tables = [
    'purchases',
    'purchase_outcomes',
    'provider_answers',
    'purchase_goods',
    'deliveries',
    'funding_identities',
  ];
  return await database.query(
    tables
      .map((name) => `select md5(string_agg(t::text, ',' order by t::text)) from ${name} t`)
      .join(' union all '),
  );
}

/** The merchant's money and purchases, without their recipients. */
async function tellAmounts(): Promise<object[]> {
  const paths = ['/v1/wallet/balance', '/v1/wallet/statement?limit=100', '/v1/transactions?limit=100'];
  const answers = await Promise.all(paths.map((path) => gateway.call('GET', path, { as: 'live' })));
  return answers.map(({ body }) =>
    JSON.parse(JSON.stringify(body, (key, value) => (key === 'msisdn' ? '' : value))),
  );
}
