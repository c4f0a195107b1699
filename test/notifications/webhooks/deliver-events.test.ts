/** Webhook deliveries, with test doubles of the endpoints. */
import assert from 'node:assert/strict';
import { after, afterEach, describe, it } from 'node:test';
import { systemClock } from '../../../src/core/clock.ts';
import { noFailpoints } from '../../../src/core/failpoints.ts';
import { createLog } from '../../../src/core/log.ts';
import { createSealer, newSealingKey } from '../../../src/core/sealing.ts';
import type { Tx } from '../../../src/db/database.ts';
import { assignNewPositions } from '../../../src/notifications/events/assign-positions.ts';
import { CommitWatermark } from '../../../src/notifications/events/commit-watermark.ts';
import { readFeed } from '../../../src/notifications/events/read-feed.ts';
import { createAddressGuard } from '../../../src/notifications/webhooks/address-guard.ts';
import {
  changeEndpoint,
  createEndpoint,
  setEndpointState,
} from '../../../src/notifications/webhooks/change-endpoint.ts';
import { createWebhookWork, type WebhookWork } from '../../../src/notifications/webhooks/deliver-events.ts';
import type { EndpointRow } from '../../../src/notifications/webhooks/endpoint.ts';
import { findEndpoint } from '../../../src/notifications/webhooks/endpoint-store.ts';
import { type ClaimedEndpoint, markEndpointsDue } from '../../../src/notifications/webhooks/round-store.ts';
import type { RoundParts } from '../../../src/notifications/webhooks/run-endpoint.ts';
import { rotateSecret } from '../../../src/notifications/webhooks/secrets.ts';
import type { TryResult } from '../../../src/notifications/webhooks/send-event.ts';
import { accept, answer, type Buyer, openBuyer, purchase, resolveWords } from '../../purchases/fixture.ts';
import { createTestDatabase } from '../../support/database.ts';
import { until } from '../../support/until.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database } = clone;
const sealer = createSealer(newSealingKey());
const rules = { guard: createAddressGuard({ allowed: [], allowsLoopback: true }), isRelaxed: true };

const ok: TryResult = { status: 200, note: undefined, answer: 'ok', retryAfterMs: undefined, durationMs: 1 };
const bad: TryResult = { ...ok, status: 500, answer: 'no' };

const works: WebhookWork[] = [];
afterEach(async () => {
  await Promise.all(works.splice(0).map((work) => work.finish()));
  await database.query('delete from webhook_endpoints');
  await database.query('delete from webhook_deliveries');
});

type Send = RoundParts['send'];

function open(send: Send, over: Partial<RoundParts> = {}): WebhookWork {
  const work = createWebhookWork({
    database,
    watermark: new CommitWatermark(database),
    clock: systemClock,
    log: createLog('silent'),
    failpoints: noFailpoints,
    compose: async (_owner, events) => new Map(events.map(({ id }) => [id, { id, body: '{}' }])),
    turn: async () => true,
    send,
    onTried: () => undefined,
    random: () => 0.5,
    ...over,
  });
  works.push(work);
  return work;
}

async function endpointOf(
  { merchantId, environment }: Buyer,
  url = 'https://shop.example/',
): Promise<EndpointRow> {
  const owner = { merchantId, environment, merchantCode: 'SHOP' };
  const { endpoint } = await database.transaction((tx) =>
    createEndpoint(tx, { sealer, rules }, owner, { url }, 'test'),
  );
  return endpoint;
}

async function buy(buyer: Buyer, count: number): Promise<string[]> {
  const items = Array.from({ length: count }, () => purchase(buyer, 100n));
  await accept(database, ...items);
  await resolveWords(database, ...items.map((item) => answer(buyer, item, 'success')));
  return items.map(({ id }) => id);
}

/** Runs until the condition holds, as the job does. */
async function runUntil(
  work: WebhookWork,
  what: string,
  holds: () => boolean | Promise<boolean>,
): Promise<void> {
  await until(what, async () => {
    await work.run();
    return holds();
  });
}

async function stateOf({ id }: Pick<EndpointRow, 'id'>): Promise<EndpointRow> {
  const endpoint = await findEndpoint(database, id);
  assert.ok(endpoint);
  return endpoint;
}

async function deliveries(): Promise<
  { event_id: string; state: string; tries: number; note: string | null }[]
> {
  return await database.query('select event_id, state, tries, note from webhook_deliveries order by id');
}

describe('endpoints', () => {
  it('makes endpoints due without waiting for a locked one', async () => {
    const buyer = await openBuyer(database, 1_000n);
    const [held, free] = [await endpointOf(buyer), await endpointOf(buyer, 'https://shop.example/2')];
    await buy(buyer, 1);
    await database.query('update webhook_endpoints set due_at = null');
    const roused = async (): Promise<string[]> => {
      const rows = await database.query<{ id: string }>(
        'select id from webhook_endpoints where due_at is not null order by id',
      );
      return rows.map(({ id }) => id);
    };
    await database.transaction(async (tx) => {
      await tx.query('select from webhook_endpoints where id = $1 for update', [held.id]);
      await markEndpointsDue(database);
      assert.deepEqual(await roused(), [free.id]);
    });
    await markEndpointsDue(database);
    assert.deepEqual(await roused(), [held.id, free.id].toSorted());
  });

  it('sends new events in order, ten at a time, and no earlier events', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    await buy(buyer, 3);
    await endpointOf(buyer);
    const ids: string[] = [];
    for (let batch = 0; batch < 5; batch += 1) ids.push(...(await buy(buyer, 50)));
    const begun: string[] = [];
    let inFlight = 0;
    let most = 0;
    const work = open(async (_endpoint, { id }) => {
      begun.push(id);
      inFlight += 1;
      most = Math.max(most, inFlight);
      await new Promise((resolve) => setTimeout(resolve, 1));
      inFlight -= 1;
      return ok;
    });
    await runUntil(work, 'all are sent', async () => (await deliveries()).length === ids.length);
    assert.deepEqual(begun, ids);
    assert.equal(most, 10);
    await work.run();
    await work.finish();
    assert.equal(begun.length, ids.length);
  });

  it('pauses dead endpoints, which delay no others', async () => {
    const [dead, well] = [await openBuyer(database, 10_000_000n), await openBuyer(database, 10_000_000n)];
    const [stuck, fine] = [await endpointOf(dead), await endpointOf(well)];
    await buy(dead, 30);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let told = 0;
    const work = open(async ({ id }) => {
      if (id === stuck.id) await released;
      else told += 1;
      return id === stuck.id ? bad : ok;
    });
    await work.run();
    await buy(well, 20);
    await runUntil(work, 'the other is told', () => told === 20);
    release();
    await runUntil(work, 'it failed', async () => (await stateOf(stuck)).failures > 0);
    const { failures, failing_since: since, state } = await stateOf(stuck);
    assert.ok(failures >= 10 && since !== null && state === 'enabled');
    assert.deepEqual([(await stateOf(fine)).failures, (await stateOf(fine)).failing_since], [0, null]);
    const [row] = await database.query<{ lane: string; rests: boolean }>(
      "select lane, due_at > now() + interval '1 second' or due_at is null as rests from webhook_endpoints where id = $1",
      [stuck.id],
    );
    assert.equal(row?.lane, 'failing');
  });

  it('raises one alarm after a day of failures and disables the endpoint after five', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    const endpoint = await endpointOf(buyer);
    const work = open(async () => bad);
    const failFor = async (days: number): Promise<void> => {
      await database.query(
        `update webhook_endpoints
         set failing_since = now() - $2 * interval '1 day', failures = 1, lane = 'failing', due_at = null
         where id = $1`,
        [endpoint.id, days],
      );
      const before = (await deliveries()).length;
      await buy(buyer, 1);
      await runUntil(work, 'it is tried', async () => (await deliveries()).length > before);
      await until('the round is over', async () => {
        const rows = await database.query(
          'select from webhook_endpoints where lease_id is not null and due_at is not null',
        );
        return rows.length === 0;
      });
    };
    const alarms = async (): Promise<number> =>
      (await database.query("select from alarms where kind = 'webhook'")).length;
    await failFor(0.9);
    assert.equal(await alarms(), 0);
    await failFor(1.1);
    await failFor(1.2);
    assert.equal(await alarms(), 1);
    assert.equal((await stateOf(endpoint)).state, 'enabled');
    await failFor(5.1);
    const { state, reason } = await stateOf(endpoint);
    assert.deepEqual([state, reason, await alarms()], ['disabled', 'failing', 2]);
    await assignNewPositions(database);
    const feed = await readFeed(database, new CommitWatermark(database), buyer, {
      after: 0n,
      limit: 100,
      types: [],
    });
    const event = feed.events.at(-1);
    assert.deepEqual([event?.type, event?.facts?.reason], ['endpoint.disabled', 'failing']);
    const warnings = feed.events.filter(({ type }) => type === 'endpoint.failing');
    assert.deepEqual(
      warnings.map(({ facts }) => [facts?.endpoint, facts?.reason]),
      [[endpoint.id, 'failing']],
    );
    // When enabled again it continues as before.
    await database.transaction(async (tx) => {
      await setEndpointState(tx, await stateOf(endpoint), { state: 'enabled', reason: '' }, 'test');
    });
    assert.deepEqual(
      [(await stateOf(endpoint)).failures, (await stateOf(endpoint)).failing_since],
      [0, null],
    );
  });

  it('serves an endpoint in one process at a time, and refuses results of a process that lost it', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    const endpoint = await endpointOf(buyer);
    const [id] = await buy(buyer, 1);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let slow = 0;
    let quick = 0;
    const held = open(async () => {
      slow += 1;
      await released;
      return bad;
    });
    const other = open(async () => {
      quick += 1;
      return ok;
    });
    await runUntil(held, 'it is begun', () => slow === 1);
    await other.run();
    assert.equal(quick, 0);
    await database.query('update webhook_endpoints set due_at = now()');
    await runUntil(other, 'the other has it', async () => (await deliveries()).length === 1);
    release();
    await held.finish();
    assert.deepEqual(await deliveries(), [{ event_id: id, state: 'delivered', tries: 1, note: null }]);
    assert.equal((await stateOf(endpoint)).failures, 0);
    assert.equal(quick, 1);
  });

  it('ends the present turn of an endpoint whose address or secret is replaced', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    const endpoint = await endpointOf(buyer);
    const owner = { merchantId: buyer.merchantId, environment: buyer.environment, merchantCode: 'SHOP' };
    const moved = 'https://moved.example/';
    const move = (tx: Tx) => changeEndpoint(tx, rules, owner, { id: endpoint.id, url: moved }, 'test');
    const rotate = (tx: Tx) => rotateSecret(tx, sealer, endpoint, 0, 'test');
    for (const change of [move, rotate]) {
      await buy(buyer, 1);
      const [before] = await database.query<{ url: string; secret: string }>(
        'select url, secret from webhook_endpoints where id = $1',
        [endpoint.id],
      );
      const isNew = ({ url, secret }: ClaimedEndpoint): boolean =>
        url !== before?.url || secret !== before.secret;
      const { promise: released, resolve: release } = Promise.withResolvers<void>();
      let old = 0;
      let renewed = 0;
      const work = open(async (one) => {
        if (isNew(one)) renewed += 1;
        else {
          old += 1;
          await released;
        }
        return ok;
      });
      await runUntil(work, 'it is begun', () => old === 1);
      await database.transaction<unknown>(change);
      release();
      // Its result is not stored, so the event is sent again by the new terms.
      await runUntil(work, 'it is sent by the new terms', () => renewed === 1);
      assert.equal(old, 1);
      await work.finish();
    }
  });

  it('changes other terms of an endpoint without sending anything again', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    const endpoint = await endpointOf(buyer);
    const owner = { merchantId: buyer.merchantId, environment: buyer.environment, merchantCode: 'SHOP' };
    const ids = await buy(buyer, 1);
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let sent = 0;
    const work = open(async () => {
      sent += 1;
      await released;
      return ok;
    });
    await runUntil(work, 'it is begun', () => sent === 1);
    await database.transaction(async (tx) => {
      await changeEndpoint(tx, rules, owner, { id: endpoint.id, description: 'ours' }, 'test');
      await rotateSecret(tx, sealer, endpoint, 3_600_000, 'test');
    });
    release();
    await runUntil(work, 'it is stored', async () => (await deliveries()).length === 1);
    assert.deepEqual([(await deliveries())[0]?.event_id, sent], [ids[0], 1]);
  });

  it('continues after an event whose subject was deleted, and after a failed round', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    await endpointOf(buyer);
    const ids = await buy(buyer, 2);
    let broken = true;
    const work = open(async () => ok, {
      compose: async (_owner, events) => {
        if (broken) throw new Error('the database is away');
        return new Map(events.filter(({ id }) => id !== ids[0]).map(({ id }) => [id, { id, body: '{}' }]));
      },
    });
    await work.run();
    await database.query('update webhook_endpoints set due_at = now() where due_at is not null');
    assert.deepEqual(await deliveries(), []);
    broken = false;
    await runUntil(work, 'both are settled', async () => (await deliveries()).length === 2);
    assert.deepEqual(
      (await deliveries()).map(({ event_id, state, note }) => [event_id, state, note !== null]),
      [
        [ids[0], 'failed', true],
        [ids[1], 'delivered', false],
      ],
    );
  });

  it('begins no new try when the process stops, and loses no event', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    await endpointOf(buyer);
    const ids = await buy(buyer, 40);
    let begun = 0;
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    const work = open(async () => {
      begun += 1;
      await released;
      return ok;
    });
    await runUntil(work, 'it is begun', () => begun > 0);
    const finished = work.finish();
    release();
    await finished;
    const stored = (await deliveries()).length;
    assert.ok(stored === begun && stored < ids.length, `${stored} of ${begun}`);
    const next = open(async () => ok);
    await runUntil(next, 'the rest is sent', async () => (await deliveries()).length === ids.length);
  });

  it('sends nothing to a disabled endpoint, and every missed event afterwards', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    const [off, on] = [await endpointOf(buyer), await endpointOf(buyer, 'https://other.example/')];
    await database.transaction((tx) => setEndpointState(tx, off, { state: 'disabled', reason: 'x' }, 'test'));
    const told: string[] = [];
    const send: Send = async ({ id }, message) => {
      told.push(`${id} ${message.id}`);
      return ok;
    };
    const ids = await buy(buyer, 3);
    const work = open(send);
    await runUntil(work, 'the other is told', () => told.length >= ids.length);
    await work.run();
    await work.finish();
    assert.deepEqual(
      told,
      ids.map((id) => `${on.id} ${id}`),
    );
    await database.transaction(async (tx) => {
      await setEndpointState(tx, await stateOf(off), { state: 'enabled', reason: '' }, 'test');
    });
    const next = open(send);
    await runUntil(next, 'what was missed is told', () => told.length >= 2 * ids.length);
    assert.deepEqual(
      told.slice(ids.length),
      ids.map((id) => `${off.id} ${id}`),
    );
  });

  it('pauses the whole endpoint when it requests it', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    const endpoint = await endpointOf(buyer);
    await buy(buyer, 30);
    let begun = 0;
    const work = open(async () => {
      begun += 1;
      return { ...bad, status: 429, retryAfterMs: begun === 3 ? 600_000 : 5_000 };
    });
    const rest = async (): Promise<number> => {
      const [row] = await database.query<{ rest: number | null }>(
        'select extract(epoch from due_at - now())::float8 as rest from webhook_endpoints where id = $1 and lease_id is null',
        [endpoint.id],
      );
      return row?.rest ?? 0;
    };
    await runUntil(work, 'it rests', async () => (await rest()) > 500);
    const restS = await rest();
    assert.ok(restS > 590 && restS <= 600, `${restS}`);
    assert.equal(begun, 10, 'none was begun after the first answer');
    await buy(buyer, 5);
    await work.run();
    await work.finish();
    assert.equal(begun, 10);
    assert.equal((await deliveries()).length, 10);
    const other = open(async () => ok);
    await database.query('update webhook_endpoints set due_at = now()');
    await runUntil(other, 'the rest is sent', async () => (await deliveries()).length === 35);
  });

  it('does not count an event that could not be composed as a failure', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    const endpoint = await endpointOf(buyer);
    await buy(buyer, 12);
    const work = open(async () => ok, { compose: async () => new Map() });
    await runUntil(work, 'all are settled', async () => (await deliveries()).length === 12);
    assert.ok((await deliveries()).every(({ state }) => state === 'failed'));
    const { failures, failing_since: since } = await stateOf(endpoint);
    assert.deepEqual([failures, since], [0, null]);
  });

  it('continues at the beginning of the feed when an endpoint was disabled for longer than the retention', async () => {
    const buyer = await openBuyer(database, 10_000_000n);
    const endpoint = await endpointOf(buyer);
    await database.transaction((tx) =>
      setEndpointState(tx, endpoint, { state: 'disabled', reason: 'x' }, 'test'),
    );
    await buy(buyer, 3);
    await database.query(
      "insert into event_marks (at, position) select now() - interval '31 days', pg_sequence_last_value('transfers_id_seq')",
    );
    const ids = await buy(buyer, 1);
    await database.transaction(async (tx) => {
      await setEndpointState(tx, await stateOf(endpoint), { state: 'enabled', reason: '' }, 'test');
    });
    const work = open(async () => ok);
    await runUntil(work, 'it goes on', async () => (await deliveries()).length > 0);
    assert.deepEqual(
      (await deliveries()).map(({ event_id }) => event_id),
      ids,
    );
    await database.query("delete from event_marks where at < now() - interval '30 days'");
  });
});
