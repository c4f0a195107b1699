/** A long queue: jobs and metrics that read it regularly read a small part of it. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { newId } from '../../src/core/ids.ts';
import type { Tx } from '../../src/db/database.ts';
import {
  claimLanePurchases,
  claimOverduePurchases,
  findDueProviders,
  findWaitingProviders,
} from '../../src/purchases/engine/claim-store.ts';
import { makeForgottenDue, takeOverFromDead } from '../../src/purchases/engine/gateway-store.ts';
import { countPendingByAge } from '../../src/purchases/history/watch-store.ts';
import { lanesOf } from '../purchases/fixture.ts';
import { openFileDatabase } from '../support/file-database.ts';
import { lookedAt } from '../support/looked-at.ts';

const PENDING = 200_000;

const database = await openFileDatabase();
const now = new Date();

/** Purchases to query, of 20 merchants, `ageS` old. */
async function insertPending(count: number, ageS: number, owner?: string): Promise<void> {
  await database.query(
    `insert into pending_purchases (merchant_id, environment, purchase_id, wallet_id, charge, step, due_at, owner, created_at,
       provider, network, recipient)
     select
       n % 20 + 1,
       'live',
       (lpad(to_hex($2::bigint), 12, '0') || substr(md5(n::text || $2::text), 1, 20))::uuid,
       0,
       1,
       'query',
       case when $4::uuid is null then now() + interval '1 hour' end,
       $4::uuid,
       now() - $3 * interval '1 second',
       '',
       'MTN',
       ''
     from generate_series(1, $1::integer) as n`,
    [count, now.getTime() - ageS * 1_000, ageS, owner ?? null],
  );
}

const looked = (work: (tx: Tx) => Promise<unknown>): Promise<number> =>
  lookedAt(database, ['pending_purchases'], work);

/** Claims return rows joined with purchases. Here the queue shows which ones were claimed. */
async function takenBy(tx: Tx, owner: string): Promise<Record<string, number>> {
  const rows = await tx.query<{ merchant_id: number; taken: bigint }>(
    'select merchant_id, count(*) as taken from pending_purchases where owner = $1 group by merchant_id',
    [owner],
  );
  return Object.fromEntries(rows.map(({ merchant_id: id, taken }) => [id, Number(taken)]));
}

describe('a queue of many purchases', () => {
  before(async () => {
    await insertPending(PENDING, 600);
    await insertPending(7, 7_200);
    await insertPending(3, 200_000);
    await insertPending(5, 10);
    await insertPending(4, -5);
  });

  it('counts the queue by age, exactly where it is short', async () => {
    const read = await looked(async (tx) => {
      const counts = await countPendingByAge(tx, now);
      const live = counts.filter(({ environment }) => environment === 'live');
      assert.equal(counts.length, 2 * live.length);
      assert.deepEqual(Object.fromEntries(live.map(({ age, count }) => [age, count])), {
        under_30s: 9,
        '30s_to_5m': 0,
        '5m_to_1h': 10_000,
        '1h_to_24h': 7,
        over_24h: 3,
      });
    });
    assert.ok(read < 40_000, `${read} were looked at`);
  });

  it('does not scan the queue for claims of dead processes', async () => {
    const [dead, forgetful] = [newId(), newId()];
    await insertPending(30, 60, dead);
    await insertPending(2, 300, forgetful);
    await database.query("insert into gateways (id, role, host, pid) values ($1, 'all', 'test', 1)", [
      forgetful,
    ]);
    const read = await looked(async (tx) => {
      assert.equal(await makeForgottenDue(tx, 120_000), 2);
      assert.equal(await takeOverFromDead(tx, 5_000, 20), 20);
      assert.equal(await takeOverFromDead(tx, 5_000, 20), 10);
      assert.equal(await takeOverFromDead(tx, 5_000, 20), 0);
    });
    assert.ok(read < 1_000, `${read} were looked at`);
  });
});

describe('a long queue that waits for providers', () => {
  /**
   * Purchases of one merchant after the other, due in the given number of seconds, with the given
   * age.
   */
  async function insertWaiting(rows: {
    readonly count: number;
    readonly merchants: number;
    readonly provider: string;
    readonly step?: 'send' | 'query';
    readonly dueS?: number;
    readonly ageS?: number;
    readonly awaited?: boolean;
  }): Promise<void> {
    await database.query(
      `insert into pending_purchases
         (merchant_id, environment, purchase_id, wallet_id, charge, provider, step, due_at, created_at, awaited,
          network, recipient)
       select
         n % $2 + 1,
         'live',
         gen_random_uuid(),
         0,
         1,
         $3,
         $4,
         now() + $5 * interval '1 second',
         now() - $6 * interval '1 second',
         $7,
         'MTN',
         ''
       from generate_series(1, $1::integer) as n`,
      [
        rows.count,
        rows.merchants,
        rows.provider,
        rows.step ?? 'send',
        rows.dueS ?? 0,
        rows.ageS ?? 60,
        rows.awaited ?? false,
      ],
    );
  }

  const claim = { limit: 10, after: -1, leaseMs: 60_000 };

  before(async () => {
    await database.query('truncate pending_purchases');
    // All may be sent now.
    await insertWaiting({ count: PENDING, merchants: 20, provider: 'long' });
    // All of them wait, for 100 merchants.
    await insertWaiting({ count: PENDING / 4, merchants: 100, provider: 'patient', dueS: 3_600 });
    await insertWaiting({
      count: PENDING / 4,
      merchants: 100,
      provider: 'patient',
      step: 'query',
      dueS: 3_600,
    });
  });

  it('does not scan the queue to find merchants that wait', async () => {
    const read = await looked(async (tx) => {
      assert.deepEqual(await findDueProviders(tx, lanesOf('long', 'patient', 'none')), ['long']);
      assert.deepEqual(await findWaitingProviders(tx), ['long', 'patient']);
    });
    assert.ok(read < 500, `${read} were looked at`);
  });

  it('does not scan the queue for a claim, and serves merchants in turn', async () => {
    const owner = newId();
    const read = await looked(async (tx) => {
      await claimLanePurchases(tx, owner, { ...claim, provider: 'long', step: 'send' });
      await claimLanePurchases(tx, owner, { ...claim, provider: 'long', step: 'send', after: 10 });
    });
    assert.ok(read < 5_000, `${read} were looked at`);
    const taken = await database.transaction((tx) => takenBy(tx, owner));
    assert.deepEqual(taken, Object.fromEntries(Array.from({ length: 20 }, (_, index) => [index + 1, 1])));
  });

  it('serves a merchant behind any number of purchases that must wait', async () => {
    const owner = newId();
    await database.query(
      `update pending_purchases set due_at = now()
       where (merchant_id, purchase_id) = (
         select merchant_id, purchase_id
         from pending_purchases
         where merchant_id = 100
         and provider = 'patient'
         and step = 'query'
         limit 1
       )`,
    );
    const read = await looked(async (tx) => {
      assert.deepEqual(await findDueProviders(tx, lanesOf('patient')), ['patient']);
      await claimLanePurchases(tx, owner, { ...claim, provider: 'patient', step: 'query' });
      await claimLanePurchases(tx, owner, { ...claim, provider: 'patient', step: 'send' });
    });
    assert.ok(read < 1_000, `${read} were looked at`);
    assert.deepEqual(await database.transaction((tx) => takenBy(tx, owner)), { 100: 1 });
  });

  it('does not scan the queue for purchases that are too old to send', async () => {
    const owner = newId();
    const overdue = { limit: 10, asyncMs: 900_000, syncMs: 30_000, leaseMs: 60_000 };
    const none = await looked((tx) => claimOverduePurchases(tx, owner, overdue));
    assert.ok(none < 100, `${none} were looked at`);
    // Async purchases just above and just below the age limit, and some with a waiting client.
    const old = { count: 3, merchants: 1, provider: 'gone' };
    await insertWaiting({ ...old, ageS: 901, dueS: 20 });
    await insertWaiting({ ...old, ageS: 31, dueS: 20, awaited: true });
    await insertWaiting({ ...old, ageS: 890 });
    await insertWaiting({ ...old, ageS: 20, awaited: true });
    const read = await looked((tx) => claimOverduePurchases(tx, owner, overdue));
    assert.ok(read < 200, `${read} were looked at`);
    const left = await database.query<{ count: bigint }>(
      `select count(*) from pending_purchases where provider = 'gone' and owner is null`,
    );
    assert.equal(Number(left[0]?.count), 6);
    assert.deepEqual(await database.transaction((tx) => takenBy(tx, owner)), { 1: 6 });
  });
});
