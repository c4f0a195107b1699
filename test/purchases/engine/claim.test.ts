/**
 * The queue of the worker: due purchases and their order, leases, and claims of dead and paused
 * processes.
 */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { newId } from '../../../src/core/ids.ts';
import type { Tx } from '../../../src/db/database.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import {
  type ClaimedPurchase,
  claimLanePurchases,
  findDueProviders,
  findWaitingProviders,
  insertAttempts,
  makeDueByReference,
} from '../../../src/purchases/engine/claim-store.ts';
import {
  findLiveGateways,
  makeForgottenDue,
  signOffGateway,
  takeOverFromDead,
  touchGateway,
} from '../../../src/purchases/engine/gateway-store.ts';
import { repairStuckWork } from '../../../src/purchases/engine/stuck-work-store.ts';
import { until } from '../../support/until.ts';
import {
  accept,
  answer,
  claimPurchases,
  gatewayId,
  lanesOf,
  openAuditedDatabase,
  openBuyer,
  purchase,
  resolveWords,
} from '../fixture.ts';

const database = await openAuditedDatabase();
const buyer = await openBuyer(database, 1_000_000n);
const worker = newId();

/** Every test begins with an empty queue. */
beforeEach(async () => {
  const open = await database.query<{ purchase_id: string; attempts: number }>(
    'select purchase_id, attempts from pending_purchases',
  );
  for (const { purchase_id: id, attempts } of open) {
    const item = { ...purchase(buyer, 10n), id };
    if (attempts === 0) {
      await database.transaction((tx) => claimAll(tx, [id]));
    }
    await resolveWords(database, answer(buyer, item, 'failed', { attempt: Math.max(attempts, 1) }));
  }
  await database.query('delete from gateways');
});

async function waiting(mode: 'sync' | 'async'): Promise<AcceptItem> {
  const item = purchase(buyer, 10n, { mode });
  await accept(database, item);
  return item;
}

/** Claims as the worker does: attempts to be sent are stored in the same transaction. */
async function claim(tx: Tx, owner: string, limit = 100, leaseMs = 60_000): Promise<ClaimedPurchase[]> {
  const claimed = await claimPurchases(tx, owner, { limit, leaseMs });
  const fresh = claimed.filter((purchase) => purchase.step === 'send');
  if (fresh.length > 0) {
    await insertAttempts(
      tx,
      fresh.map(({ merchantId, purchaseId, attempts }) => ({
        merchantId,
        purchaseId,
        number: attempts,
        provider: 'sandbox',
        reference: `p-${purchaseId}-${attempts}`,
        reason: 'test',
      })),
    );
  }
  return claimed;
}

async function claimAll(tx: Tx, ids: readonly string[]): Promise<void> {
  await tx.query('update pending_purchases set due_at = now() where purchase_id = any($1::uuid[])', [ids]);
  await claim(tx, worker);
}

function claimNow(owner = worker, limit?: number, leaseMs?: number): Promise<ClaimedPurchase[]> {
  return database.transaction((tx) => claim(tx, owner, limit, leaseMs));
}

function steps(claimed: readonly ClaimedPurchase[]): string[] {
  return claimed.map((purchase) => `${purchase.step} ${purchase.attempts}`);
}

async function queued(item: AcceptItem): Promise<Record<string, unknown> | undefined> {
  const [row] = await database.query(
    'select step, attempts, owner, due_at, due_at <= now() as due from pending_purchases where purchase_id = $1',
    [item.id],
  );
  return row;
}

async function postpone(item: AcceptItem, seconds: number): Promise<void> {
  await database.query(
    `update pending_purchases set due_at = now() + $2 * interval '1 second' where purchase_id = $1`,
    [item.id, seconds],
  );
}

describe('a claim', () => {
  it('takes due purchases, oldest first, up to the limit', async () => {
    const items = [
      await waiting('async'),
      await waiting('async'),
      await waiting('async'),
      await waiting('async'),
    ];
    const [a, b, c, d] = items;
    assert.ok(a && b && c && d);
    await postpone(a, -5);
    await postpone(b, -20);
    await postpone(c, 60);
    await postpone(d, -10);
    assert.deepEqual(
      (await claimNow(worker, 2)).map((purchase) => purchase.purchaseId).sort(),
      [b.id, d.id].sort(),
    );
    assert.deepEqual(
      (await claimNow()).map((purchase) => purchase.purchaseId),
      [a.id],
    );
    assert.deepEqual(await claimNow(), []);
    assert.equal((await queued(c))?.step, 'send');
  });

  it('serves merchants in turn, beginning after the last one', async () => {
    const other = await openBuyer(database, 1_000n);
    for (let count = 0; count < 5; count += 1) await waiting('async');
    const theirs = purchase(other, 10n, { mode: 'async' });
    await accept(database, theirs);
    const take = (after: number): Promise<ClaimedPurchase[]> =>
      database.transaction(async (tx) => {
        const claim = { provider: 'sandbox', step: 'send', after, limit: 1, leaseMs: 60_000 } as const;
        const claimed = await claimLanePurchases(tx, worker, claim);
        await insertAttempts(
          tx,
          claimed.map(({ merchantId, purchaseId }) => ({
            merchantId,
            purchaseId,
            number: 1,
            provider: 'sandbox',
            reference: `p-${purchaseId}-1`,
            reason: 'test',
          })),
        );
        return claimed;
      });
    const merchants: number[] = [];
    for (const after of [-1, buyer.merchantId, other.merchantId]) {
      merchants.push(...(await take(after)).map(({ merchantId }) => merchantId));
    }
    assert.deepEqual(merchants, [buyer.merchantId, other.merchantId, buyer.merchantId]);
    await resolveWords(database, answer(other, theirs, 'failed'));
  });

  it('takes nothing of another provider', async () => {
    await accept(database, purchase(buyer, 10n, { mode: 'async', route: ['vtpass', 'sandbox'] }));
    assert.deepEqual(await claimNow(), []);
    assert.deepEqual(await findDueProviders(database, lanesOf('sandbox', 'vtpass')), ['vtpass']);
    assert.deepEqual(await findWaitingProviders(database), ['vtpass']);
    await database.query(`update pending_purchases set provider = 'sandbox'`);
    assert.deepEqual(steps(await claimNow()), ['send 1']);
  });

  it('reads everything that the call and the decision need', async () => {
    const details = { planCodes: { sandbox: { code: 'x' } } };
    const item = purchase(buyer, 90n, {
      mode: 'async',
      faceValue: 100n,
      details,
      route: ['sandbox', 'vtpass'],
      product: 'data',
    });
    await accept(database, item);
    const [claimed] = await claimNow();
    assert.ok(claimed);
    const { ageMs, ...rest } = claimed;
    assert.ok(ageMs >= 0);
    assert.deepEqual(rest, {
      merchantId: buyer.merchantId,
      environment: 'live',
      purchaseId: item.id,
      walletId: buyer.walletId,
      charge: 90n,
      step: 'send',
      attempts: 1,
      queries: 0,
      notFound: 0,
      final: false,
      flagged: false,
      evidence: 'none',
      reference: item.reference,
      product: 'data',
      network: 'MTN',
      recipient: '2348031234567',
      faceValue: 100n,
      mode: 'async',
      route: ['sandbox', 'vtpass'],
      provider: 'sandbox',
      refused: [],
      details,
      attempt: undefined,
    });
  });

  it('marks a purchase as to be queried before the call', async () => {
    const item = await waiting('async');
    assert.deepEqual(steps(await claimNow()), ['send 1']);
    const { due_at: _, ...row } = (await queued(item)) ?? {};
    assert.deepEqual(row, { step: 'query', attempts: 1, owner: worker, due: false });
    await postpone(item, -1);
    const [again] = await claimNow();
    assert.equal(again?.step, 'query');
    assert.equal(again?.attempts, 1);
    assert.deepEqual([again?.attempt?.provider, again?.attempt?.reference], ['sandbox', `p-${item.id}-1`]);
  });

  it('an uncommitted claim changes nothing: the purchase is still to be sent', async () => {
    const item = await waiting('async');
    await assert.rejects(
      database.transaction(async (tx) => {
        assert.deepEqual(steps(await claim(tx, worker)), ['send 1']);
        throw new Error('died');
      }),
      /died/,
    );
    assert.deepEqual((await queued(item))?.step, 'send');
    assert.deepEqual(steps(await claimNow()), ['send 1']);
  });

  it('hides a purchase until the lease ends, and then allows only queries', async () => {
    await waiting('async');
    assert.deepEqual(steps(await claimNow(worker, 10, 4_000)), ['send 1']);
    const other = newId();
    assert.deepEqual(await claimNow(other), []);
    const deadline = performance.now() + 30_000;
    let again: ClaimedPurchase[] = [];
    while (again.length === 0 && performance.now() < deadline) again = await claimNow(other);
    assert.deepEqual(steps(again), ['query 1']);
  });

  describe('of a second attempt, while another answer about the first is being stored', () => {
    /**
     * Begins to store the answer after the claim and before its commit, so that it waits for the
     * lock of the purchase.
     */
    async function overtaken(
      kind: Parameters<typeof answer>[2],
    ): Promise<{ item: AcceptItem; words: string[] }> {
      const item = await waiting('sync');
      await resolveWords(database, answer(buyer, item, 'not_sent'));
      const words = await database.transaction(async (tx) => {
        assert.deepEqual(steps(await claim(tx, worker)), ['send 2']);
        const storing = resolveWords(database, answer(buyer, item, kind, { cost: 9n }));
        await until('the answer waits for the claim', isSomebodyWaiting);
        return { storing };
      });
      return { item, words: await words.storing };
    }

    async function isSomebodyWaiting(): Promise<boolean> {
      const [row] = await database.query<{ waiting: boolean }>(
        `select exists (
           select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
         ) as waiting`,
      );
      return row?.waiting === true;
    }

    for (const kind of ['not_sent', 'unknown', 'failed'] as const) {
      it(`${kind}: the second attempt is unchanged`, async () => {
        const { item, words } = await overtaken(kind);
        assert.deepEqual(words, ['stale']);
        const { due_at: _, ...row } = (await queued(item)) ?? {};
        assert.deepEqual(row, { step: 'query', attempts: 2, owner: worker, due: false });
        const second = answer(buyer, item, 'success', { attempt: 2 });
        assert.deepEqual(await resolveWords(database, second), ['done success']);
      });
    }

    it('success: raises an alarm, and the purchase waits for the second answer', async () => {
      const { item, words } = await overtaken('success');
      assert.deepEqual(words, ['stale']);
      assert.equal((await queued(item))?.attempts, 2);
      const alarms = await database.query('select kind from alarms where purchase_id = $1', [item.id]);
      assert.deepEqual(alarms, [{ kind: 'stale' }]);
      await database.query('update alarms set acknowledged_at = now()');
    });
  });

  it('skips purchases of running requests', async () => {
    const item = await waiting('sync');
    assert.deepEqual(await claimNow(), []);
    assert.equal((await queued(item))?.owner, gatewayId);
  });

  it('two concurrent workers take different purchases without waiting', async () => {
    const items = await Promise.all(Array.from({ length: 10 }, () => waiting('async')));
    await database.transaction(async (first) => {
      const mine = await claim(first, worker, 4);
      await database.transaction(async (second) => {
        await second.query("set local lock_timeout = '2s'");
        const theirs = await claim(second, newId(), 10);
        assert.equal(mine.length, 4);
        assert.equal(theirs.length, 6);
        const all = [...mine, ...theirs].map((purchase) => purchase.purchaseId);
        assert.deepEqual(all.sort(), items.map((item) => item.id).sort());
      });
    });
  });

  it('many concurrent workers hold each purchase once', async () => {
    const items = await Promise.all(Array.from({ length: 60 }, () => waiting('async')));
    const taken = (await Promise.all(Array.from({ length: 8 }, () => claimNow(newId(), 10)))).flat();
    assert.equal(new Set(taken.map((purchase) => purchase.purchaseId)).size, taken.length);
    const rest = await claimNow();
    assert.deepEqual(
      [...taken, ...rest].map((purchase) => purchase.purchaseId).sort(),
      items.map((item) => item.id).sort(),
    );
  });
});

describe('the claims of a dead gateway', () => {
  const gateway = (id: string): Parameters<typeof touchGateway>[1] => ({
    id,
    role: 'all',
    host: 'h',
    pid: 1,
    providers: ['sandbox'],
  });

  async function lastSeen(id: string, secondsAgo: number): Promise<void> {
    await touchGateway(database, gateway(id));
    await database.query(`update gateways set seen_at = now() - $2 * interval '1 second' where id = $1`, [
      id,
      secondsAgo,
    ]);
  }

  it('queries purchases of a dead gateway at once, and leaves those of a live one', async () => {
    const [dead, alive] = [newId(), newId()];
    const held = await waiting('async');
    await claimNow(dead);
    const living = await waiting('async');
    await claimNow(alive);
    await lastSeen(dead, 10);
    await lastSeen(alive, 1);
    assert.equal(await takeOverFromDead(database, 5_000, 100), 1);
    const { due_at: _, ...row } = (await queued(held)) ?? {};
    assert.deepEqual(row, { step: 'query', attempts: 1, owner: null, due: true });
    assert.equal((await queued(living))?.due, false);
    assert.deepEqual(await database.query('select id from gateways'), [{ id: alive }]);
    assert.deepEqual(
      (await claimNow(alive)).map((purchase) => [purchase.purchaseId, purchase.step]),
      [[held.id, 'query']],
    );
    assert.equal(await takeOverFromDead(database, 5_000, 100), 0);
  });

  it('takes purchases of requests over too, and those of an unknown process', async () => {
    const item = await waiting('sync');
    assert.equal(await takeOverFromDead(database, 5_000, 100), 1);
    const { due_at: _, ...row } = (await queued(item)) ?? {};
    assert.deepEqual(row, { step: 'query', attempts: 1, owner: null, due: true });
  });

  it('takes nothing from a process with a recent heartbeat', async () => {
    await touchGateway(database, gateway(gatewayId));
    const item = await waiting('sync');
    assert.equal(await takeOverFromDead(database, 5_000, 100), 0);
    assert.equal((await queued(item))?.due_at, null);
    await lastSeen(gatewayId, 10);
    await touchGateway(database, gateway(gatewayId));
    assert.equal(await takeOverFromDead(database, 5_000, 100), 0, 'it is back');
  });

  it('skips a locked purchase, and takes it the next time', async () => {
    const item = await waiting('sync');
    await database.transaction(async (tx) => {
      await tx.query('select 1 from pending_purchases where purchase_id = $1 for update', [item.id]);
      assert.equal(await takeOverFromDead(database, 5_000, 100), 0);
    });
    assert.equal(await takeOverFromDead(database, 5_000, 100), 1);
  });

  it('gets the purchases of a process that signs off', async () => {
    await touchGateway(database, gateway(worker));
    const item = await waiting('async');
    await claimNow(worker);
    const other = await waiting('sync');
    await signOffGateway(database, worker);
    const { due_at: _, ...row } = (await queued(item)) ?? {};
    assert.deepEqual(row, { step: 'query', attempts: 1, owner: null, due: true });
    assert.equal((await queued(other))?.owner, gatewayId);
    assert.deepEqual(await database.query('select id from gateways'), []);
  });
});

describe('purchases that a live gateway lost track of', () => {
  it('makes a lost purchase due once it is older than any call, and not before', async () => {
    const [old, young] = [await waiting('sync'), await waiting('sync')];
    await database.query(
      `update pending_purchases set created_at = now() - interval '3 minutes' where purchase_id = $1`,
      [old.id],
    );
    assert.equal(await makeForgottenDue(database, 120_000), 1);
    assert.equal((await queued(old))?.due, true);
    assert.equal((await queued(young))?.due_at, null);
    assert.deepEqual(
      (await claimNow()).map((purchase) => [purchase.purchaseId, purchase.step]),
      [[old.id, 'query']],
    );
  });
});

describe('when the clock of the database was set back', () => {
  it('makes purchases that are due absurdly late due now, and keeps short delays', async () => {
    const send = await waiting('async');
    const [query, flagged, leased] = [await waiting('sync'), await waiting('sync'), await waiting('async')];
    const all = [send, query, flagged, leased];
    await database.query('update pending_purchases set flagged_at = now() where purchase_id = $1', [
      flagged.id,
    ]);
    await postpone(send, 30);
    await postpone(query, 600);
    await postpone(flagged, 3_600);
    await postpone(leased, -1);
    await claimNow(worker, 1, 120_000);
    assert.equal(await repairStuckWork(database), 0);
    for (const item of all) {
      await database.query(
        `update pending_purchases set due_at = due_at + interval '30 minutes' where purchase_id = $1`,
        [item.id],
      );
    }
    assert.equal(await repairStuckWork(database), 4);
    for (const item of all) assert.equal((await queued(item))?.due, true);
    assert.equal(await repairStuckWork(database), 0);
  });

  it('treats a heartbeat in the future as dead', async () => {
    const item = await waiting('async');
    await claimNow(gatewayId);
    await touchGateway(database, { id: gatewayId, role: 'all', host: 'test', pid: 1, providers: [] });
    assert.equal(await takeOverFromDead(database, 5_000, 100), 0);
    await database.query(`update gateways set seen_at = now() + interval '1 hour'`);
    assert.deepEqual(await findLiveGateways(database, 5_000), []);
    assert.equal(await takeOverFromDead(database, 5_000, 100), 1);
    assert.equal((await queued(item))?.due, true);
  });

  it('makes an unclaimed purchase of the future due', async () => {
    const item = await waiting('sync');
    assert.equal(await makeForgottenDue(database, 120_000), 0);
    await database.query(
      `update pending_purchases set created_at = now() + interval '1 hour' where purchase_id = $1`,
      [item.id],
    );
    assert.equal(await makeForgottenDue(database, 120_000), 1);
  });
});

describe('a callback for a reference', () => {
  const hurry = (provider: string, reference: string) =>
    makeDueByReference(database, { provider, reference });

  it('makes the purchase of a reference due at once', async () => {
    const item = await waiting('sync');
    await resolveWords(database, answer(buyer, item, 'accepted'));
    assert.equal((await queued(item))?.due, false);
    assert.equal(await hurry('sandbox', `p-${item.id}`), item.id);
    assert.equal((await queued(item))?.due, true);
    assert.equal(await hurry('sandbox', `p-${item.id}`), undefined, 'it is due already');
    assert.deepEqual(steps(await claimNow()), ['query 1']);
  });

  it('changes nothing for another provider, an unknown reference, a final purchase or an earlier attempt', async () => {
    const item = await waiting('sync');
    await resolveWords(database, answer(buyer, item, 'not_sent'));
    assert.deepEqual(steps(await claimNow()), ['send 2']);
    const before = await queued(item);
    assert.equal(await hurry('sandbox', `p-${item.id}`), undefined);
    assert.equal(await hurry('vtpass', `p-${item.id}-2`), undefined);
    assert.equal(await hurry('sandbox', 'nothing'), undefined);
    assert.deepEqual(await queued(item), before);
    const final = await waiting('sync');
    await resolveWords(database, answer(buyer, final, 'success'));
    assert.equal(await hurry('sandbox', `p-${final.id}`), undefined);
  });

  it('does not take a purchase from the request that buys it', async () => {
    const item = await waiting('sync');
    assert.equal(await hurry('sandbox', `p-${item.id}`), undefined);
    assert.equal((await queued(item))?.due_at, null);
  });
});
