/**
 * The lists of a database whose purchases a version before stored, while these are completed: what
 * is told is right at every moment, what cannot be told is refused, and it ends, however often it
 * is cut short. An audit beside it finds nothing.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { auditVends } from '../../../src/audit/audit-vends.ts';
import type { Queries, Tx } from '../../../src/db/database.ts';
import type { Principal } from '../../../src/merchants/merchant.ts';
import { completeSlice } from '../../../src/vending/history/complete-listed-store.ts';
import { listVends, type VendPageRequest } from '../../../src/vending/history/find-vends.ts';
import { ListCompletion } from '../../../src/vending/history/list-completion.ts';
import type { AcceptItem } from '../../../src/vending/path/accept-store.ts';
import { failedOf } from '../../audit/spoilt.ts';
import { createTestDatabase } from '../../support/database.ts';
import { refusedFor } from '../../support/refusals.ts';
import { accept, answer, type Buyer, openBuyer, purchase, resolveWords } from '../fixture.ts';

const clone = await createTestDatabase();
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());

const statuses = [undefined, 'success', 'failed', 'pending'] as const;
type Wanted = Pick<VendPageRequest, 'status' | 'network' | 'recipients'>;
const byStatus: readonly Wanted[] = statuses.map((status) => ({ status }));
const byMore: readonly Wanted[] = statuses.flatMap((status) => [
  { status, network: 'MTN' },
  { status, network: 'GLO' },
  { status, recipients: ['2348030000001'] },
  { status, network: 'GLO', recipients: ['2348030000001', '2348030000002'] },
]);

/** A shop with purchases of two networks and orders of eSIMs, in all states. */
async function openShop(): Promise<Buyer> {
  const buyer = await openBuyer(database, 1_000_000n);
  const items: AcceptItem[] = [];
  for (let index = 0; index < 30; index += 1) {
    const network = ['MTN', 'GLO', 'esim'][index % 3] ?? 'MTN';
    const recipient = `234803000000${index % 5}`;
    const mode = index % 4 === 3 ? 'async' : 'sync';
    items.push(purchase(buyer, 100n, { network, recipient, mode }));
  }
  await accept(database, ...items);
  const answered = items.filter((item, index) => item.mode === 'sync' && index % 2 === 0);
  await resolveWords(
    database,
    ...answered.map((item, index) => answer(buyer, item, index % 3 === 0 ? 'failed' : 'success')),
  );
  return buyer;
}

/** As a version before left them. */
async function forget(sql: Queries): Promise<void> {
  await sql.query('update vend_outcomes set network = null, recipient = null');
  await sql.query('update pending_vends set network = null, recipient = null');
  await sql.query("delete from settings where name = 'list_completion'");
}

describe('lists while older purchases are completed', () => {
  const shops: Buyer[] = [];
  /** What each list of a shop must be. */
  const expected = new Map<string, unknown>();

  before(async () => {
    await database.query(
      "insert into products (product, kind, sealed) values ('esim', 'order', true) on conflict do nothing",
    );
    for (let index = 0; index < 3; index += 1) shops.push(await openShop());
    for (const [key, told] of await listAll(shops, new ListCompletion())) {
      assert.ok(Array.isArray(told), key);
      expected.set(key, told);
    }
  });

  async function listAll(of: readonly Buyer[], completion: ListCompletion): Promise<[string, unknown][]> {
    const told: [string, unknown][] = [];
    for (const { merchantId, environment } of of) {
      const principal = { merchant: { id: merchantId }, environment } as unknown as Principal;
      for (const wanted of [...byStatus, ...byMore]) {
        const key = JSON.stringify({ merchantId, ...wanted });
        const page = await listVends(database, completion, principal, { page: 1, limit: 20, ...wanted }).then(
          ({ items, totalItems }) => [totalItems, ...items.map(({ id, network }) => [id, network])],
          (error: unknown) => error,
        );
        told.push([key, page]);
      }
    }
    return told;
  }

  /** How many of those by network and number were refused; all others were right. */
  async function refusedOf(of: readonly Buyer[], completion = new ListCompletion()): Promise<number> {
    let refused = 0;
    for (const [key, told] of await listAll(of, completion)) {
      if (Array.isArray(told)) assert.deepEqual(told, expected.get(key), key);
      else {
        assert.ok(/network|recipients/.test(key), `${key}: ${told}`);
        assert.ok(refusedFor('list_being_completed')(told), String(told));
        refused += 1;
      }
    }
    return refused;
  }

  it('are right or refused at each moment, and all right in the end', async () => {
    await forget(database);
    const all = shops.length * byMore.length;
    assert.equal(await refusedOf(shops), all);
    const counts: number[] = [];
    for (let state = 'more'; state === 'more'; ) {
      // A process that dies within a slice leaves nothing of it.
      await assert.rejects(
        database.transaction(async (tx) => {
          await completeSlice(tx, 7);
          throw new Error('killed');
        }),
        /killed/,
      );
      state = await database.transaction((tx) => completeSlice(tx, 7));
      counts.push(await refusedOf(shops));
    }
    assert.deepEqual(
      counts,
      counts.toSorted((one, other) => other - one),
    );
    assert.equal(counts.at(-1), 0);
    assert.ok(new Set(counts).size > 3, `merchants do not wait for each other: ${counts}`);
    const [left] = await database.query<{ count: bigint }>(
      `select (select count(*) from vend_outcomes where network is null or recipient is null)
         + (select count(*) from pending_vends where network is null or recipient is null) as count`,
    );
    assert.equal(left?.count, 0n);
  });

  it('are told at once of a merchant whose purchases are all new', async () => {
    await forget(database);
    await database.transaction((tx) => completeSlice(tx, 1_000));
    const fresh = await openShop();
    const completion = new ListCompletion();
    for (const [key, told] of await listAll([fresh], completion)) assert.ok(Array.isArray(told), key);
    assert.equal(completion.isDone, false);
  });

  it('are completed by one process at a time, and wait for rows that somebody has locked', async () => {
    await forget(database);
    const [one] = await database.query<{ vend_id: string }>('select vend_id from pending_vends limit 1');
    await database.transaction(async (holder) => {
      await holder.query('select from pending_vends where vend_id = $1 for update', [one?.vend_id]);
      assert.equal(await inOther((tx) => completeSlice(tx, 1_000)), 'busy');
      const rows = await database.query<{ vend_id: string }>(
        'select vend_id from pending_vends where network is null',
      );
      assert.deepEqual(rows, [one], 'all others are completed');
    });
    await database.transaction(async (holder) => {
      assert.equal(await completeSlice(holder, 1_000), 'more');
      assert.equal(await inOther((tx) => completeSlice(tx, 1_000)), 'busy');
    });
    const completion = new ListCompletion(5);
    // A run ends after some seconds, done or not.
    while (!completion.isDone) await completion.run(database);
    assert.equal(await refusedOf(shops, completion), 0);
  });

  async function inOther<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return await database.transaction(work);
  }

  it('an audit that begins meanwhile finds the counters right', async () => {
    await forget(database);
    let transactions = 0;
    const beside: Pick<Queries, 'transaction'> = {
      transaction: async (work, options) => {
        // After the first look of the audit, whatever it is.
        if (++transactions === 2) await new ListCompletion().run(database);
        return await database.transaction(work, options);
      },
    };
    assert.deepEqual(failedOf((await auditVends(beside)).checks), new Map());
  });
});
