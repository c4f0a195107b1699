/**
 * The event feed while processes write concurrently and are killed: a reader by cursor gets each
 * event once, in one order, and misses none.
 */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { assignNewPositions } from '../../src/notifications/events/assign-positions.ts';
import { CommitWatermark } from '../../src/notifications/events/commit-watermark.ts';
import type { FeedOwner } from '../../src/notifications/events/event.ts';
import { readFeed } from '../../src/notifications/events/read-feed.ts';
import { type Buyer, openBuyer } from '../purchases/fixture.ts';
import { createTestDatabase } from '../support/database.ts';

const WRITERS = 3;
const KILLS = 8;
/** Positions are read again after a tenth of a second and settled at the following read. */
const LOOK_MS = 120;
const NOTHINGS = 5;

it('lists each event once, in one order, for all readers while writers run and die', async () => {
  await using clone = await createTestDatabase();
  const { database } = clone;
  const live = await openBuyer(database, 50_000_000n);
  const test = { ...(await openBuyer(database, 50_000_000n, 'test')) };
  const buyers = { live, test: await otherEnvironment(live, test) };
  const text = JSON.stringify(buyers, (_key, value: unknown) =>
    typeof value === 'bigint' ? `${value}` : value,
  );
  const start = (): ChildProcess =>
    spawn(process.execPath, [join(import.meta.dirname, 'feed-writer.ts'), clone.connectionString, text], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const writers = Array.from({ length: WRITERS }, start);
  await Promise.all(writers.map((writer) => once(writer.stdout ?? writer, 'data')));

  async function* otherwise(owner: FeedOwner): AsyncGenerator<{ id: string; position: bigint }> {
    const watermark = new CommitWatermark(database);
    let nothings = 0;
    for (let after = 0n; ; ) {
      const wasOver = over;
      const limit = 1 + Math.floor(Math.random() * 60);
      const page = await readFeed(database, watermark, owner, { after, limit, types: [] });
      assert.ok(page.position >= after);
      for (const { id, position } of page.events) {
        assert.ok(position > after, 'nothing appears at or before a cursor');
        after = position;
        yield { id, position };
      }
      assert.ok(page.position >= after);
      after = page.position;
      nothings = wasOver && !page.more && page.events.length === 0 ? nothings + 1 : 0;
      if (nothings === NOTHINGS) return;
      await sleep(wasOver ? LOOK_MS : Math.random() * 15);
    }
  }
  let over = false;
  const owners = [
    live,
    live,
    { ...live, environment: 'test' as const },
    { ...live, environment: 'test' as const },
  ];
  const reading = owners.map((owner) => Array.fromAsync(otherwise(owner)));
  for (let kill = 0; kill < KILLS; kill += 1) {
    await sleep(200 + Math.random() * 300);
    writers[kill % WRITERS]?.kill('SIGKILL');
    const next = start();
    writers[kill % WRITERS] = next;
    await once(next.stdout ?? next, 'data');
  }
  await sleep(300);
  for (const writer of writers) writer.kill('SIGKILL');
  await Promise.all(
    writers.map(async (writer) => writer.exitCode ?? writer.signalCode ?? (await once(writer, 'exit'))),
  );
  // The killed writers have ended when none of their transactions is left.
  for (let left = 1; left > 0; ) {
    const rows = await database.query(
      `select from pg_stat_activity
       where datname = current_database()
       and application_name = 'feed writer'`,
    );
    left = rows.length;
    await sleep(20);
  }
  await assignNewPositions(database);
  over = true;
  const [one = [], two = [], three = [], four = []] = await Promise.all(reading);

  for (const [seen, again, environment] of [
    [one, two, 'live'],
    [three, four, 'test'],
  ] as const) {
    assert.deepEqual(again, seen);
    const ids = seen.map(({ id }) => id);
    const truth = await database.query<{ id: string }>(
      `select purchase_id as id from purchase_outcomes where merchant_id = $1 and environment = $2
       union all
       select id from events where merchant_id = $1 and environment = $2 and type = 'wallet.low'`,
      [live.merchantId, environment],
    );
    assert.ok(truth.length > 100, `${truth.length} events in ${environment}`);
    assert.equal(new Set(ids).size, ids.length, 'no event twice');
    assert.deepEqual(new Set(ids), new Set(truth.map(({ id }) => id)));
  }

  /** The same merchant's wallet in the other environment. Both take ids of one merchant. */
  async function otherEnvironment(owner: Buyer, like: Buyer): Promise<Buyer> {
    const [wallet] = await database.query<{ id: bigint }>(
      "select account_id as id from wallet_owners where merchant_id = $1 and environment = 'test'",
      [owner.merchantId],
    );
    assert.ok(wallet);
    await database.query('insert into wallet_states select * from next_wallet_state($1, 50000000, 0)', [
      wallet.id,
    ]);
    return { ...like, merchantId: owner.merchantId, walletId: wallet.id };
  }
});
