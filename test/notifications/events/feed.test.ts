/** The feed of a merchant: its events, their order, and who may read it. */
import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { after, describe, it } from 'node:test';
import { assignNewPositions, purgeOldEvents } from '../../../src/notifications/events/assign-positions.ts';
import { CommitWatermark } from '../../../src/notifications/events/commit-watermark.ts';
import type { EventType, FeedOwner } from '../../../src/notifications/events/event.ts';
import {
  deleteOldEvents,
  findUnpositionedFeeds,
  insertEvent,
} from '../../../src/notifications/events/event-store.ts';
import { createFeedCursors } from '../../../src/notifications/events/feed-cursor.ts';
import { type FeedPage, readFeed } from '../../../src/notifications/events/read-feed.ts';
import { creditWallet } from '../../../src/wallet/operations/credit-wallet.ts';
import { accept, answer, type Buyer, openBuyer, purchase, resolveWords } from '../../purchases/fixture.ts';
import { createTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;

async function read(
  buyer: FeedOwner,
  { after: from = 0n, limit = 100, types = [] }: { after?: bigint; limit?: number; types?: EventType[] } = {},
): Promise<FeedPage> {
  return await readFeed(database, new CommitWatermark(database), buyer, { after: from, limit, types });
}

function told(page: FeedPage): string[] {
  return page.events.map(({ type, purchaseId }) => `${type} ${purchaseId ?? '-'}`);
}

async function buy(buyer: Buyer, kind: 'success' | 'failed', charge = 10_000n): Promise<string> {
  const item = purchase(buyer, charge);
  await accept(database, item);
  await resolveWords(database, answer(buyer, item, kind));
  return item.id;
}

describe('the feed', () => {
  it('lists each purchase once it is final, in the order of the outcomes', async () => {
    const buyer = await openBuyer(database, 1_000_000n);
    const [first, second, third] = [
      purchase(buyer, 10_000n),
      purchase(buyer, 10_000n),
      purchase(buyer, 10_000n),
    ];
    await accept(database, first, second, third);
    assert.deepEqual(told(await read(buyer)), []);
    await resolveWords(database, answer(buyer, second, 'success'));
    await resolveWords(database, answer(buyer, first, 'failed'));
    const poor = purchase(buyer, 99_000_000n);
    await accept(database, poor);
    await resolveWords(database, answer(buyer, third, 'success', { cost: third.charge + 5n }));
    assert.deepEqual(told(await read(buyer)), [
      `transaction.success ${second.id}`,
      `transaction.failed ${first.id}`,
      `transaction.failed ${poor.id}`,
      `transaction.success ${third.id}`,
    ]);
  });

  it('lists a success that moved no money, cost nothing, or was charged nothing', async () => {
    const buyer = await openBuyer(database, 1_000_000n);
    const ids: string[] = [];
    for (const [charge, cost] of [
      [0n, 0n],
      [0n, 500n],
      [500n, 0n],
      [500n, 500n],
    ] as const) {
      const item = purchase(buyer, charge);
      await accept(database, item);
      await resolveWords(database, answer(buyer, item, 'success', { cost }));
      ids.push(`transaction.success ${item.id}`);
    }
    assert.deepEqual(told(await read(buyer)), ids);
  });

  it('returns pages without gaps or repetitions, whatever their size', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    const ids: string[] = [];
    for (let n = 0; n < 12; n += 1) ids.push(await buy(buyer, n % 3 === 0 ? 'failed' : 'success'));
    for (const limit of [1, 2, 5, 12, 100]) {
      const seen: string[] = [];
      for (let at = 0n, more = true; more; ) {
        const page = await read(buyer, { after: at, limit });
        assert.ok(page.events.length <= limit);
        seen.push(...page.events.map(({ purchaseId }) => purchaseId ?? ''));
        at = page.position;
        more = page.more;
      }
      assert.deepEqual(seen, ids, `limit ${limit}`);
    }
    const failed = await read(buyer, { types: ['transaction.failed'] });
    assert.deepEqual(
      failed.events.map(({ purchaseId }) => purchaseId),
      ids.filter((_, n) => n % 3 === 0),
    );
  });

  it('excludes other merchants and the other environment, and advances past their events', async () => {
    const live = await openBuyer(database, 1_000_000n);
    const other = await openBuyer(database, 1_000_000n);
    await buy(other, 'success');
    const before = await read({ merchantId: live.merchantId, environment: 'test' });
    const id = await buy(live, 'success');
    // Another test on the same server may still take a position.
    let test = before;
    await until('it goes on', async () => {
      test = await read({ merchantId: live.merchantId, environment: 'test' });
      return test.position > before.position;
    });
    assert.deepEqual([told(before), told(test), test.more], [[], [], false]);
    assert.deepEqual(told(await read(live)), [`transaction.success ${id}`]);
  });

  it('does not advance past a position that a running transaction may have taken', async () => {
    const live = await openBuyer(database, 1_000_000n);
    const owner = { merchantId: live.merchantId, environment: 'test' as const };
    await database.transaction(async (tx) => {
      await tx.query("select from wallet_owners where merchant_id = $1 and environment = 'test' for update", [
        owner.merchantId,
      ]);
      const [taken] = await tx.query<{ position: bigint }>("select nextval('transfers_id_seq') as position");
      await buy(live, 'success');
      // The other environment has passed this position. This one has not, because the row may still
      // come.
      assert.ok(taken && (await read(owner)).position < taken.position);
    });
    const id = await buy(live, 'success');
    // Another test on the same server may still take a position.
    await until('it goes past', async () => {
      const page = await read(owner);
      return told(await read(live, { after: page.position })).length === 0;
    });
    assert.ok(told(await read(live)).includes(`transaction.success ${id}`));
  });

  it('assigns positions in every feed while one feed has very many new events', async () => {
    const [full, other] = [await openBuyer(database, 0n), await openBuyer(database, 0n)];
    await database.query(
      `insert into events (merchant_id, environment, id, type)
       select $1, e, gen_random_uuid(), 'wallet.low'
       from generate_series(1, 1500), unnest(array['test', 'live']) as e`,
      [full.merchantId],
    );
    await database.transaction((tx) => insertEvent(tx, other, { type: 'wallet.low' }));
    const owners = (await findUnpositionedFeeds(database, 100)).map(
      (one) => `${one.merchantId} ${one.environment}`,
    );
    assert.deepEqual(owners, [...new Set(owners)]);
    const expected = [`${full.merchantId} live`, `${full.merchantId} test`];
    assert.deepEqual(owners.slice(-3), [...expected, `${other.merchantId} ${other.environment}`]);
    assert.equal((await findUnpositionedFeeds(database, 1)).length, 1);
    await database.query('delete from events where merchant_id = any($1)', [
      [full.merchantId, other.merchantId],
    ]);
  });

  it('lists events that are stored as rows once they have a position', async () => {
    const buyer = await openBuyer(database, 1_000_000n);
    const facts = { currency: 'NGN', available: '5', threshold: '10' };
    await database.transaction((tx) => insertEvent(tx, buyer, { type: 'wallet.low', facts }));
    await assert.rejects(
      database.transaction(async (tx) => {
        await insertEvent(tx, buyer, { type: 'wallet.low', facts });
        throw new Error('undone');
      }),
    );
    const id = await buy(buyer, 'success');
    assert.deepEqual(told(await read(buyer)), [`transaction.success ${id}`]);
    assert.equal(await assignNewPositions(database), 1);
    assert.deepEqual(told(await read(buyer)), [`transaction.success ${id}`, 'wallet.low -']);
    assert.equal(await assignNewPositions(database), 0);
    assert.deepEqual((await read(buyer)).events.at(-1)?.facts, facts);
  });

  it('reports a purchase that needs attention once', async () => {
    const buyer = await openBuyer(database, 1_000_000n);
    const item = purchase(buyer, 10_000n);
    await accept(database, item);
    const late = answer(buyer, item, 'unknown', {
      effect: { kind: 'wait', dueMs: 1, flag: true },
      source: 'query',
    });
    await resolveWords(database, late);
    await resolveWords(database, late);
    assert.deepEqual(told(await read(buyer)), [`transaction.overdue ${item.id}`]);
    await resolveWords(database, answer(buyer, item, 'success', { source: 'query' }));
    assert.deepEqual(told(await read(buyer)).at(-1), `transaction.success ${item.id}`);
  });

  it('deletes events older than 30 days and begins after them', async () => {
    const buyer = await openBuyer(database, 1_000_000n);
    await buy(buyer, 'failed');
    await database.query("update events set at = at - interval '31 days' where merchant_id = $1", [
      buyer.merchantId,
    ]);
    await purgeOldEvents(database);
    assert.equal(await deleteOldEvents(database, 1_000), 0);
    assert.deepEqual(told(await read(buyer)), []);
  });

  it('does not advance for a correction of the wallet', async () => {
    const buyer = await openBuyer(database, 1_000_000n);
    const [{ code } = { code: '' }] = await database.query<{ code: string }>(
      'select code from merchants where id = $1',
      [buyer.merchantId],
    );
    await database.transaction((tx) =>
      creditWallet(
        tx,
        { merchantCode: code, environment: 'live', currency: 'NGN', amount: 5n, memo: 'test' },
        'test',
      ),
    );
    assert.deepEqual(told(await read(buyer)), []);
  });
});

describe('a cursor', () => {
  const cursors = createFeedCursors(createSecretKey(randomBytes(32)));
  const owner = { merchantId: 7, environment: 'test' } as const;
  const now = new Date('2026-11-22T12:00:00Z');

  it('opens a cursor only for its owner', () => {
    const cursor = cursors.make(owner, 123_456_789_012n, now);
    assert.match(cursor, /^[\w-]{35}$/);
    assert.equal(cursors.read(owner, cursor, now), 123_456_789_012n);
    assert.equal(cursors.read({ ...owner, environment: 'live' }, cursor, now), 'forged');
    assert.equal(cursors.read({ ...owner, merchantId: 8 }, cursor, now), 'forged');
    const others = createFeedCursors(createSecretKey(randomBytes(32)));
    assert.equal(others.read(owner, cursor, now), 'forged');
    for (const forged of [
      '',
      '0',
      'AAAA',
      `${cursor}A`,
      cursor.slice(1),
      cursor.replace(/^./, 'B'),
      `${cursor}=`,
    ]) {
      assert.equal(cursors.read(owner, forged, now), 'forged', forged);
    }
  });

  it('refuses a cursor after its events expired', () => {
    const cursor = cursors.make(owner, 5n, now);
    const days = (count: number) => new Date(now.getTime() + count * 86_400_000);
    assert.equal(cursors.read(owner, cursor, days(29)), 5n);
    assert.equal(cursors.read(owner, cursor, days(31)), 'expired');
    // The clock was set back.
    assert.equal(cursors.read(owner, cursor, days(-2)), 5n);
  });
});
