/**
 * A release's database with purchases and money under way: this version migrates it at its start,
 * returns everything that the release returned, and ends each pending purchase in agreement with
 * its provider's books.
 */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { verifyAuditLog } from '../../src/oversight/log/operations/verify-audit-log.ts';
import { awayFromMidnight } from '../support/away-from-midnight.ts';
import {
  auditDifferences,
  compareBooks,
  readBooks,
  readLivePurchases,
  untilNothingPending,
} from '../support/books.ts';
import { createTestDatabase } from '../support/database.ts';
import { runGateway, startGateway } from '../support/gateway.ts';
import { freePort } from '../support/processes.ts';
import { loadDump } from '../support/release-dump.ts';
import {
  askEverything,
  fixtureKey,
  folderOf,
  listReleases,
  openBooks,
  readRelease,
  referencesOf,
} from '../support/release-fixture.ts';
import { until } from '../support/until.ts';

// The figures of the release's day are as old as the fixture covers.
await awayFromMidnight({ sinceMs: 120_000 });
for (const version of listReleases()) {
  it(`a database of ${version} continues where it was`, { timeout: 120_000 }, async (t) => {
    const fixture = await readRelease(version);
    await using clone = await createTestDatabase({ empty: true });
    const { database } = clone;
    await loadDump(database, fixture.dump);
    const before = await readState(database);
    const port = await freePort();
    const dataDir = await folderOf({ 'credentials.json': JSON.stringify(fixture.credentials) });
    await using simulator = await openBooks(fixture, port);
    const settings = {
      OJA_ENCRYPTION_KEY: fixtureKey,
      OJA_NOT_FOUND_GRACE_S: '10',
    };

    await using api = await startGateway({
      databaseUrl: clone.connectionString,
      dataDir,
      simulatorUrl: simulator.url,
      settings: { ...settings, OJA_ROLE: 'api', PORT: String(port) },
    });
    assert.deepEqual(await readState(database), before);
    const told = await askEverything((as, path) => api.call('GET', path, { as }), await referencesOf(api));
    assert.equal(told.length, fixture.told.length);
    for (const [index, was] of fixture.told.entries()) assertStillTold(told[index], was, was.path);

    const body = {
      merchant: 'DEMO',
      network: 'mtn',
      msisdn: '08030000077',
      amount: '100',
      request_ref: 'new',
    };
    const bought = await api.call('POST', '/v1/transactions/airtime/sync', { as: 'live', body });
    assert.deepEqual([bought.status, bought.body.response_code], [200, '00'], bought.text);

    const pending = (await readLivePurchases(database)).filter(({ status }) => status === 'pending');
    await using worker = runGateway({
      ...settings,
      OJA_ROLE: 'worker',
      OJA_DATA_DIR: dataDir,
      DATABASE_URL: clone.connectionString,
      OJA_SIMULATOR_URL: simulator.url,
    });
    await worker.ready;
    await untilNothingPending(database, 60_000, api.url);
    const ended = new Map(
      (await readLivePurchases(database)).map((purchase) => [purchase.reference, purchase.status]),
    );
    const outcomes = Object.fromEntries(pending.map(({ reference }) => [reference, ended.get(reference)]));
    t.diagnostic(JSON.stringify(outcomes));
    assert.deepEqual(new Set(Object.values(outcomes)), new Set(['success', 'failed']));
    await database.query('update pending_fulfilments set due_at = now() where lease_id is null');
    await until('the notice is settled, and what was delivered is known', async () => {
      const rows = await database.query(`
        select from bank_notices where outcome is null
        union all
        select from pending_fulfilments`);
      return rows.length === 0;
    });
    assert.deepEqual(compareBooks(await readBooks(simulator.url), await readLivePurchases(database)), []);
    assert.deepEqual(await auditDifferences(database), []);
    await until('the audit log is chained', async () => {
      const { broken } = await verifyAuditLog(database);
      return broken === undefined;
    });
  });
}

type State = { readonly accounts: readonly object[]; readonly counts: readonly object[] };

/** Rows that no upgrade changes: the books, and append-only tables. */
async function readState(database: Database): Promise<State> {
  const accounts = await database.query(`
    select
      a.code,
      coalesce((select sum(t.amount) from transfers t where t.credit_account_id = a.id), 0)
        - coalesce((select sum(t.amount) from transfers t where t.debit_account_id = a.id), 0) as balance
    from accounts a
    where exists (select from transfers t where a.id in (t.credit_account_id, t.debit_account_id))
    order by a.code`);
  const tables = [
    'purchases',
    'attempts',
    'provider_answers',
    'purchase_outcomes',
    'pending_purchases',
    'transfers',
  ];
  const more = [
    'deposits',
    'vouchers',
    'sealed_goods',
    'pending_fulfilments',
    'bank_notices',
    'alarms',
    'credentials',
  ];
  const counts = await database.query(
    [...tables, ...more].map((name) => `select '${name}' as name, count(*) from ${name}`).join(' union all '),
  );
  return { accounts, counts };
}

/**
 * Fails unless every recorded answer is returned, times excepted. More fields and other texts are
 * allowed.
 */
function assertStillTold(now: unknown, then: unknown, at: string): void {
  if (Array.isArray(then)) {
    assert.ok(Array.isArray(now) && now.length === then.length, `${at}: ${JSON.stringify(now)}`);
    for (const [index, one] of then.entries()) assertStillTold(now[index], one, `${at}[${index}]`);
  } else if (typeof then === 'object' && then !== null) {
    assert.ok(typeof now === 'object' && now !== null, at);
    for (const [key, one] of Object.entries(then)) {
      assertStillTold((now as Record<string, unknown>)[key], one, `${at}.${key}`);
    }
  } else if (at.endsWith('.message') || at.endsWith('.response_message')) {
    assert.ok(typeof now === 'string' && now !== '', `${at}: ${now}`);
  } else if (!/^\d{4}-\d{2}-\d{2}[T ]/.test(String(then))) {
    assert.equal(now, then, at);
  }
}
