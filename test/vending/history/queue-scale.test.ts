/**
 * A long queue: what looks at it every second, or whenever metrics are read, looks at little of it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Tx } from '../../../src/db/database.ts';
import { newId } from '../../../src/kernel/ids.ts';
import { countPendingByAge } from '../../../src/vending/history/watch-store.ts';
import { makeForgottenDue, takeOverFromDead } from '../../../src/vending/path/gateway-store.ts';
import { createTestDatabase } from '../../support/database.ts';

const PENDING = 200_000;

const clone = await createTestDatabase();
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());
const now = new Date();

/** Vends that wait to be asked about, of 20 merchants, `ageS` old. */
async function insertPending(count: number, ageS: number, owner?: string): Promise<void> {
  await database.query(
    `insert into pending_vends (merchant_id, environment, vend_id, wallet_id, charge, step, due_at, owner, created_at)
     select
       n % 20 + 1,
       'live',
       (lpad(to_hex($2::bigint), 12, '0') || substr(md5(n::text || $2::text), 1, 20))::uuid,
       0,
       1,
       'query',
       case when $4::uuid is null then now() + interval '1 hour' end,
       $4::uuid,
       now() - $3 * interval '1 second'
     from generate_series(1, $1::integer) as n`,
    [count, now.getTime() - ageS * 1_000, ageS, owner ?? null],
  );
}

/** Index entries and rows of the queue that the work looked at. */
async function looked(work: (tx: Tx) => Promise<unknown>): Promise<number> {
  return await database.transaction(async (tx) => {
    const at = async (): Promise<number> => {
      const [row] = await tx.query<{ looked: bigint }>(
        `select (seq_tup_read + coalesce(idx_tup_fetch, 0) + (
           select sum(pg_stat_get_xact_tuples_returned(indexrelid)) from pg_index where indrelid = relid
         ))::bigint as looked
         from pg_stat_xact_user_tables where relname = 'pending_vends'`,
      );
      return Number(row?.looked);
    };
    const from = await at();
    await work(tx);
    return (await at()) - from;
  });
}

describe('a queue of many vends', () => {
  before(async () => {
    await insertPending(PENDING, 600);
    await insertPending(7, 7_200);
    await insertPending(3, 200_000);
    await insertPending(5, 10);
    await insertPending(4, -5);
  });

  it('is counted by age, exactly where they are few', async () => {
    const read = await looked(async (tx) => {
      const counts = await countPendingByAge(tx, now);
      assert.deepEqual(Object.fromEntries(counts.map(({ age, count }) => [age, count])), {
        under_30s: 9,
        '30s_to_5m': 0,
        '5m_to_1h': 10_000,
        '1h_to_24h': 7,
        over_24h: 3,
      });
    });
    assert.ok(read < 40_000, `${read} were looked at`);
  });

  it('is not read through for what the dead or forgetful had in hand', async () => {
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
