/** The detection of dead processes: an unresponsive database makes none look dead. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import { createLog } from '../../../src/core/log.ts';
import type { Sql, SqlStatement } from '../../../src/db/database.ts';
import { Limiter } from '../../../src/providers/http/limiter.ts';
import { DatabaseClock } from '../../../src/purchases/engine/database-clock.ts';
import { touchGateway } from '../../../src/purchases/engine/gateway-store.ts';
import { shareAccounts } from '../../../src/purchases/engine/provider-room.ts';
import { PurchaseRecovery } from '../../../src/purchases/engine/recover-purchases.ts';
import { acceptPurchases } from '../../support/commit-purchases.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { openBuyer, purchase } from '../fixture.ts';

const database = await openFileDatabase();
const buyer = await openBuyer(database, 1_000_000n);

let nowMs = 0;
let wakes = 0;

beforeEach(async () => {
  await database.query('delete from gateways');
  await database.query('update pending_purchases set owner = null, due_at = now()');
  wakes = 0;
});

/** A gateway that has announced itself. */
async function announced(
  providers: Parameters<typeof shareAccounts>[0] = new Map(),
): Promise<PurchaseRecovery> {
  const clock = { elapsedMs: () => nowMs };
  const id = newId();
  const recovery = new PurchaseRecovery({
    databases: { heartbeat: database, work: database },
    gateway: { id, role: 'all', host: 'test', pid: 1, providers: ['vtpass'] },
    share: (gateways) => shareAccounts(providers, gateways, id),
    log: createLog('silent'),
    clock,
    databaseClock: new DatabaseClock(clock),
    onTakenOver: () => {
      wakes += 1;
    },
  });
  await recovery.announce();
  return recovery;
}

/** Another gateway with a claimed purchase, last seen this long ago by the database's clock. */
async function other(unseenS: number): Promise<string> {
  const id = newId();
  await touchGateway(database, { id, role: 'all', host: 'test', pid: 2, providers: ['vtpass'] });
  await database.query(`update gateways set seen_at = now() - $2 * interval '1 second' where id = $1`, [
    id,
    unseenS,
  ]);
  await acceptPurchases(database, [purchase(buyer, 10n)], id);
  return id;
}

async function has(owner: string): Promise<boolean> {
  return (await database.query('select 1 from pending_purchases where owner = $1', [owner])).length > 0;
}

/** The lead of the database's clock, for readers of `jumped`. */
let aheadMs = 0;

function jumped(sql: Sql): Sql {
  return {
    query: async <R extends object>(statement: string | SqlStatement, values?: readonly unknown[]) => {
      const rows = await sql.query<R>(statement, values);
      return rows.map((row) =>
        'now_ms' in row ? { ...row, now_ms: BigInt(row.now_ms as bigint) + BigInt(aheadMs) } : row,
      );
    },
  };
}

/** As the jobs do, once a second. */
async function beatFor(recovery: PurchaseRecovery, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    nowMs += 1_000;
    await recovery.beat();
    await recovery.takeOver();
  }
}

test('takes over dead processes only after its own heartbeats have been regular for as long', async () => {
  const recovery = await announced();
  const dead = await other(60);
  const alive = await other(1);
  await beatFor(recovery, 4);
  assert.ok(await has(dead));
  await beatFor(recovery, 1);
  assert.ok(!(await has(dead)));
  assert.ok(await has(alive));
  assert.equal(wakes, 1);
});

test('after the database stood still no process is dead until it had time for a heartbeat', async () => {
  const recovery = await announced();
  await beatFor(recovery, 10);
  // No provider could answer in this time.
  nowMs += 20_000;
  const stalled = await other(20);
  await recovery.takeOver();
  await beatFor(recovery, 4);
  assert.ok(await has(stalled));
  await database.query('update gateways set seen_at = now()');
  await beatFor(recovery, 4);
  assert.ok(await has(stalled), 'it lives');
  await database.query(`update gateways set seen_at = now() - interval '6 seconds' where id = $1`, [stalled]);
  await beatFor(recovery, 1);
  assert.ok(!(await has(stalled)));
});

test('keeps a process’s share after the database stalled, and takes more when others are dead', async () => {
  const orders = new Limiter({ callsMax: 30, waitingMax: 1 });
  const alone = orders.use().callsMax;
  const recovery = await announced(new Map([['vtpass', { limiters: { orders, reads: orders } }]]));
  assert.equal(orders.use().callsMax, alone);
  await other(0);
  await beatFor(recovery, 10);
  const shared = orders.use().callsMax;
  assert.ok(shared < alone);
  nowMs += 20_000;
  await database.query(`update gateways set seen_at = now() - interval '20 seconds'`);
  await beatFor(recovery, 4);
  assert.equal(orders.use().callsMax, shared);
  assert.equal(recovery.declaresDead(), false);
  await beatFor(recovery, 3);
  assert.equal(orders.use().callsMax, alone);
});

test('a starting process makes due what was delayed before the clock was set back', async () => {
  const recovery = await announced();
  const id = await other(1);
  await database.query(
    `update pending_purchases set owner = null, due_at = now() + interval '5 hours' where owner = $1`,
    [id],
  );
  const sleeping = `select from pending_purchases where due_at > now()`;
  assert.equal((await database.query(sleeping)).length, 1);
  await recovery.lookForForgotten();
  assert.equal((await database.query(sleeping)).length, 0);
  assert.equal(wakes, 1);
});

test('when the database clock is set forward no process looks dead before its next heartbeat', async () => {
  const recovery = await announced();
  const alive = await other(1);
  await beatFor(recovery, 10);
  // Moves stored and read times as if an hour had passed.
  const clock = { elapsedMs: () => nowMs };
  const ahead = new PurchaseRecovery({
    databases: { heartbeat: jumped(database), work: jumped(database) },
    gateway: { id: newId(), role: 'all', host: 'test', pid: 3, providers: ['vtpass'] },
    share: () => undefined,
    log: createLog('silent'),
    clock,
    databaseClock: new DatabaseClock(clock),
    onTakenOver: () => undefined,
  });
  await ahead.announce();
  await beatFor(ahead, 10);
  await database.query(`update gateways set seen_at = seen_at - interval '1 hour' where id = $1`, [alive]);
  aheadMs = 3_600_000;
  await ahead.takeOver();
  assert.ok(await has(alive));
});
