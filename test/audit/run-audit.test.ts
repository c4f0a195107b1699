/** Audits that go on from one another while purchases are made, and when one does not. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import { runAudit, type WholeReason } from '../../src/audit/run-audit.ts';
import type { Database } from '../../src/db/database.ts';
import { creditWallet } from '../../src/wallet/operations/credit-wallet.ts';
import { changeWallet } from '../support/change-wallet.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { lookedAt } from '../support/looked-at.ts';
import { answer, buy, delivered, openShop, type Shop } from './fixture.ts';
import { failedOf } from './spoilt.ts';

let clone: TestDatabase;
let database: Database;
let shop: Shop;

beforeEach(async () => {
  clone = await createTestDatabase();
  database = clone.database;
  shop = await openShop(database);
});
afterEach(() => clone[Symbol.asyncDispose]());

/** Which kind of audit ran, and what it found. */
async function audit(sinceLast: boolean): Promise<[kind: string, ...found: string[]]> {
  const { kind, checks } = await runAudit(database, { sinceLast });
  return [kind, ...failedOf(checks).keys()];
}

async function whyWhole(options: { version?: string } = {}): Promise<WholeReason | undefined> {
  return (await runAudit(database, { sinceLast: true, ...options })).wholeBecause;
}

/** Runs SQL that the database would refuse. */
async function spoil(sql: string): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(sql);
  });
}

test('audits go on from one another, and purchases end in between', async () => {
  assert.deepEqual(await audit(false), ['whole']);
  const waiting = await buy(database, shop, 'waiting');
  assert.deepEqual(await audit(true), ['since_last']);
  await answer(database, shop, waiting, 'success', delivered(shop, 9_700n));
  await answer(database, shop, await buy(database, shop, 'new'), 'success', delivered(shop, 9_700n));
  assert.deepEqual(await audit(true), ['since_last']);
  assert.deepEqual(await audit(true), ['since_last']);
  assert.deepEqual(await audit(false), ['whole']);
});

test('the late outcome of an old purchase is audited with all that is said of it', async () => {
  const waiting = await buy(database, shop, 'waiting');
  assert.deepEqual(await audit(false), ['whole']);
  await answer(database, shop, waiting, 'failed', {
    kind: 'fail',
    reason: 'refused',
    telcoMessage: undefined,
  });
  await spoil("update vend_outcomes set reason = 'not_found'");
  assert.deepEqual(await audit(true), ['since_last', 'outcome-evidence']);
});

test('an answer that comes late for an old purchase is audited', async () => {
  const refused = await buy(database, shop, 'refused');
  await answer(database, shop, refused, 'failed', {
    kind: 'fail',
    reason: 'refused',
    telcoMessage: undefined,
  });
  assert.deepEqual(await audit(false), ['whole']);
  await spoil(`
    insert into provider_answers (merchant_id, vend_id, attempt, source, kind, code, message)
    values (${shop.merchantId}, '${refused}', 1, 'callback', 'success', '', '')`);
  assert.deepEqual(await audit(true), ['since_last', 'delivered-once']);
});

test('an old purchase that was pending and got lost is found by the count', async () => {
  const lost = await buy(database, shop, 'lost');
  assert.deepEqual(await audit(false), ['whole']);
  await spoil(`
    delete from pending_vends where vend_id = '${lost}';
    update wallet_states set held = 0`);
  assert.deepEqual(await audit(true), ['since_last', 'pending-count']);
});

test('an old row that is spoilt is seen by the whole audit alone', async () => {
  const old = await buy(database, shop, 'old');
  await answer(database, shop, old, 'success', delivered(shop, 9_700n));
  await spoil(`
    update vends set created_at = now() - interval '2 days';
    update attempts set started_at = now() - interval '2 days';
    update provider_answers set at = now() - interval '2 days';
    update vend_outcomes set at = now() - interval '2 days';
    update transfers set created_at = now() - interval '2 days'`);
  assert.deepEqual(await audit(false), ['whole']);
  await spoil("update vend_outcomes set provider = 'other'");
  assert.deepEqual(await audit(true), ['since_last']);
  assert.deepEqual(await audit(false), ['whole', 'outcome-attempt']);
});

test('what was under way at an audit, and is committed after it, is audited by the next', async () => {
  const under = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const late = database.transaction(async (tx) => {
    await creditWallet(
      tx,
      { merchantCode: 'SHOP', environment: 'test', currency: 'NGN', amount: 5n, memo: 'late' },
      'ada',
    );
    await tx.query(
      `insert into attempts (merchant_id, vend_id, number, provider, reference, reason)
       values ($1, gen_random_uuid(), 1, 'sandbox', 'late', 'spoilt')`,
      [shop.merchantId],
    );
    begun.resolve();
    await under.promise;
  });
  await begun.promise;
  // Ids and times of these are higher, and they are there first.
  await answer(database, shop, await buy(database, shop, 'beside'), 'success', delivered(shop, 9_700n));
  assert.deepEqual(await audit(false), ['whole']);
  assert.deepEqual(await audit(true), ['since_last']);
  under.resolve();
  await late;
  assert.deepEqual(await audit(true), ['since_last', 'orphans']);
});

test('audits beside running purchases find everything in order, and miss none', async () => {
  assert.deepEqual(await audit(false), ['whole']);
  let buying = true;
  const buyers = Promise.all(
    [1, 2, 3].map(async (buyer) => {
      for (let count = 0; buying; count += 1) {
        const id = await buy(database, shop, `${buyer}-${count}`, { charge: 1n });
        await answer(database, shop, id, 'failed', {
          kind: 'fail',
          reason: 'refused',
          telcoMessage: undefined,
        });
      }
    }),
  );
  try {
    for (let round = 0; round < 5; round += 1) assert.deepEqual(await audit(true), ['since_last']);
  } finally {
    buying = false;
    await buyers;
  }
  assert.deepEqual(await audit(true), ['since_last']);
  assert.deepEqual(await audit(false), ['whole']);
});

test('without a clean audit of the same checks the whole one is run, and says why', async () => {
  assert.equal(await whyWhole(), 'none');
  assert.equal(await whyWhole(), undefined);
  assert.equal(await whyWhole({ version: 'newer' }), 'version');
  assert.equal(await whyWhole(), 'version');
  assert.equal(await whyWhole(), undefined);
  await database.query("update audit_runs set database_id = 'other'");
  assert.equal(await whyWhole(), 'database');
  // Far ahead: the databases of other tests use up transactions of this server too.
  await database.query(`
    update audit_runs
    set snapshot = (pg_snapshot_xmax(snapshot::pg_snapshot)::text::bigint + 1000000000) || ':' || (pg_snapshot_xmax(snapshot::pg_snapshot)::text::bigint + 1000000000) || ':'`);
  assert.equal(await whyWhole(), 'far');
  await database.query("update audit_runs set cut_at = cut_at + interval '1 day'");
  assert.equal(await whyWhole(), 'clock');
});

test('after an audit that found something the whole one is run, until it finds nothing', async () => {
  assert.deepEqual(await audit(false), ['whole']);
  await changeWallet(database, shop.walletId, { posted: 5n });
  assert.deepEqual(await audit(true), ['since_last', 'wallet-posted', 'books-balance']);
  assert.equal(await whyWhole(), 'red');
  await changeWallet(database, shop.walletId, { posted: -5n });
  assert.equal(await whyWhole(), 'red');
  assert.equal(await whyWhole(), undefined);
});

test('an audit that was red while another ran is not forgotten', async () => {
  assert.deepEqual(await audit(false), ['whole']);
  await database.query(`
    insert into audit_runs (kind, started_after, started_at, checks_version, database_id, failed, snapshot, cut_at)
    select kind, started_after, started_at, checks_version, database_id, '{orphans}', snapshot, cut_at
    from audit_runs`);
  await database.query(`
    insert into audit_runs (kind, started_after, started_at, checks_version, database_id, failed, snapshot, cut_at, sums)
    select kind, started_after, started_at, checks_version, database_id, failed, snapshot, cut_at, sums
    from audit_runs
    where sums is not null`);
  assert.equal(await whyWhole(), 'red');
});

test('an audit that is cut short leaves the one before it', async () => {
  assert.deepEqual(await audit(false), ['whole']);
  const before = await database.query('select * from audit_runs');
  for (const transactions of [1, 4, 8]) {
    let left = transactions;
    const breaking: Database = Object.create(database, {
      query: { value: database.query.bind(database) },
      transaction: {
        value: (...given: Parameters<Database['transaction']>) => {
          left -= 1;
          return left === 0 ? Promise.reject(new Error('killed')) : database.transaction(...given);
        },
      },
    });
    await assert.rejects(runAudit(breaking, { sinceLast: true }), /killed/);
  }
  assert.deepEqual(await database.query('select * from audit_runs'), before);
  assert.deepEqual(await audit(true), ['since_last']);
});

/** Adds delivered purchases of a day long ago, all of them in order. */
async function addHistory(purchases: number): Promise<void> {
  await spoil(`
    create temp table old on commit drop as
    select gen_random_uuid() as id, n, now() - interval '2 days' as at
    from generate_series(1, ${purchases}) as n;
    insert into vends (
      merchant_id, environment, id, reference, product, network, msisdn, recipient, face_value, charge, wallet_id, mode, route,
      credential_id, created_at
    )
    select ${shop.merchantId}, 'live', id, 'old-' || id, 'airtime', 'MTN', '', '', 1, 1, ${shop.walletId}, 'sync', 'sandbox',
      '${shop.credentialId}', at
    from old;
    insert into attempts (merchant_id, vend_id, number, provider, reference, reason, started_at)
    select ${shop.merchantId}, id, 1, 'sandbox', id::text, '', at from old;
    insert into provider_answers (merchant_id, vend_id, attempt, source, kind, code, message, at)
    select ${shop.merchantId}, id, 1, 'vend', 'success', '', '', at from old;
    insert into vend_outcomes (merchant_id, environment, vend_id, status, reason, provider, cost, at, network, recipient)
    select ${shop.merchantId}, 'live', id, 'success', 'delivered', 'sandbox', 1, at, 'MTN', '' from old;
    insert into transfers (merchant_id, subject_id, code, debit_account_id, credit_account_id, amount, created_at)
    select ${shop.merchantId}, id, 'vend_cost', ${shop.walletId}, ${shop.floatId}, 1, at from old;
    insert into house_deltas (account_id, delta) values (${shop.floatId}, ${purchases});
    insert into wallet_states select n.* from next_wallet_state(${shop.walletId}, -${purchases}, 0) n;
    insert into vend_count_deltas (merchant_id, environment, network, status, count)
    values (${shop.merchantId}, 'live', 'MTN', 'accepted', ${purchases}), (${shop.merchantId}, 'live', 'MTN', 'success', ${purchases})`);
  // Few rows to a range of an index, since the history is short for one.
  const indexes = await database.query<{ name: string }>(
    `select c.relname as name
     from pg_class c
     join pg_am a on a.oid = c.relam
     where a.amname = 'brin'
     and c.relname like '%_time_idx'`,
  );
  for (const { name } of indexes) {
    await database.query(`alter index ${name} set (pages_per_range = 2)`);
    await database.query(`reindex index ${name}`);
  }
}

const history = ['vends', 'attempts', 'provider_answers', 'vend_outcomes', 'transfers'];

test('what it reads is what is new, however long the history is', async () => {
  const looks: number[] = [];
  for (const more of [3_000, 30_000]) {
    await addHistory(more);
    assert.deepEqual(await audit(false), ['whole']);
    for (let count = 0; count < 20; count += 1)
      await answer(
        database,
        shop,
        await buy(database, shop, `new-${more}-${count}`),
        'success',
        delivered(shop, 9_700n),
      );
    looks.push(
      await lookedAt(database, history, async (tx) => {
        const { kind, checks } = await runAudit(
          Object.create(database, {
            query: { value: tx.query.bind(tx) },
            transaction: { value: (work: (given: typeof tx) => Promise<unknown>) => work(tx) },
          }),
          { sinceLast: true },
        );
        assert.deepEqual([kind, ...failedOf(checks).keys()], ['since_last']);
      }),
    );
  }
  // Each of the 30,000 has a row in each of five tables. What differs is how many old rows are in
  // the blocks that new ones are in.
  const [short = 0, long = 0] = looks;
  assert.ok(long - short < 10_000, `looked at ${short}, then ${long} rows`);
});
