/**
 * Purchases that wait for a paused, limited or full provider go to the next one of their route that
 * has room.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '../../../src/db/database.ts';
import { Limiter, newTurn } from '../../../src/providers/http/limiter.ts';
import type { Provider } from '../../../src/providers/provider.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import { PurchaseDiversion } from '../../../src/purchases/engine/reroute-purchases.ts';
import { resolvePurchases } from '../../support/commit-purchases.ts';
import { createTestDatabase } from '../../support/database.ts';
import { accept, answer, type Buyer, gatewayId, openBuyer, purchase } from '../fixture.ts';

const PATIENCE_MS = 60_000;

type State = 'closed' | 'open' | 'paused';

/** A reroute between two providers, `first` with no room, and the purchases it wakes. */
function openDiversion(sql: Database, first: State, secondCalls = 20) {
  const provider = (name: string, state: State, callsMax: number): Provider => {
    const orders = new Limiter({ callsMax, queryShare: 0.5, waitingMax: 10 });
    const breakerState = () => (state === 'open' ? 'open' : 'closed');
    return { name, limiters: { orders, reads: orders }, breakerState } as Provider;
  };
  const providers = new Map([
    ['first', provider('first', first, 1)],
    ['second', provider('second', 'closed', secondCalls)],
  ]);
  providers.get('first')?.limiters?.orders.reserve(newTurn('queued'));
  const woken: string[] = [];
  const diversion = new PurchaseDiversion({
    sql,
    providers,
    isPaused: ({ name }) => name === 'first' && first === 'paused',
    patienceMs: PATIENCE_MS,
    wake: (name) => woken.push(name),
  });
  return { diversion, woken };
}

async function queue(
  database: Database,
  buyer: Buyer,
  count: number,
  fields: Partial<AcceptItem> = {},
): Promise<readonly AcceptItem[]> {
  const items = Array.from({ length: count }, () =>
    purchase(buyer, 1n, { mode: 'async', route: ['first', 'second'], ...fields }),
  );
  await accept(database, ...items);
  return items;
}

async function countWaiting(database: Database): Promise<Record<string, number>> {
  const rows = await database.query<{ provider: string; count: number }>(
    `select provider, count(*)::integer as count from pending_purchases where step = 'send' group by provider`,
  );
  return Object.fromEntries(rows.map(({ provider, count }) => [provider, count]));
}

describe('purchases that wait for a provider', () => {
  it('go at once to the next provider when theirs is held back, as many as it accepts', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const { diversion, woken } = openDiversion(database, 'open');
    await queue(database, await openBuyer(database, 1_000n), 30);
    await diversion.run();
    // A tenth of the places is left to queries, another to the purchases of callers.
    assert.deepEqual(await countWaiting(database), { first: 14, second: 16 });
    assert.deepEqual(woken, ['second']);
    await diversion.run();
    assert.deepEqual(await countWaiting(database), { second: 30 });
  });

  it('go at once to the next provider when theirs is paused', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const { diversion } = openDiversion(database, 'paused');
    await queue(database, await openBuyer(database, 1_000n), 10);
    await diversion.run();
    assert.deepEqual(await countWaiting(database), { second: 10 });
  });

  it('stay a while when their provider is well and only full', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const { diversion, woken } = openDiversion(database, 'closed');
    const [item] = await queue(database, await openBuyer(database, 1_000n), 2);
    await diversion.run();
    assert.deepEqual([await countWaiting(database), woken], [{ first: 2 }, []]);
    await database.query(
      `update pending_purchases set due_at = now() - interval '61 seconds' where purchase_id = $1`,
      [item?.id],
    );
    await diversion.run();
    assert.deepEqual([await countWaiting(database), woken], [{ first: 1, second: 1 }, ['second']]);
  });

  it('stay when no other provider of their route has room, or there is no other', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const buyer = await openBuyer(database, 1_000n);
    await queue(database, buyer, 3, { route: ['first'] });
    await queue(database, buyer, 3, { route: ['first', 'third'] });
    await openDiversion(database, 'open').diversion.run();
    assert.deepEqual(await countWaiting(database), { first: 6 });
  });

  it('do not go to a provider that refused them, nor while they must wait', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const buyer = await openBuyer(database, 1_000n);
    const attempt = { provider: 'second', reference: 'p-1' };
    const refused = purchase(buyer, 1n, { mode: 'sync', route: ['second', 'first'], attempt });
    await accept(database, refused);
    const retry = { kind: 'retry', dueMs: 0, provider: 'first' } as const;
    await resolvePurchases(database, [answer(buyer, refused, 'failed', { effect: retry })]);
    const [later] = await queue(database, buyer, 1);
    await database.query(
      `update pending_purchases set due_at = now() + interval '1 minute' where purchase_id = $1`,
      [later?.id],
    );
    const { diversion } = openDiversion(database, 'open');
    await diversion.run();
    assert.deepEqual(await countWaiting(database), { first: 2 });
  });

  it('are found behind any number that must stay', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const buyer = await openBuyer(database, 10_000n);
    for (let batch = 0; batch < 5; batch += 1) await queue(database, buyer, 500, { route: ['first'] });
    await queue(database, buyer, 1);
    const { diversion } = openDiversion(database, 'open');
    await diversion.run();
    assert.deepEqual(await countWaiting(database), { first: 2_501 });
    await diversion.run();
    assert.deepEqual(await countWaiting(database), { first: 2_500, second: 1 });
  });

  it('are not taken from a worker that is claiming them', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    await queue(database, await openBuyer(database, 1_000n), 2);
    const { diversion } = openDiversion(database, 'open');
    await database.transaction(async (tx) => {
      await tx.query(
        `update pending_purchases set step = 'query', owner = $1
         where purchase_id = (select min(purchase_id::text)::uuid from pending_purchases)`,
        [gatewayId],
      );
      await diversion.run();
    });
    assert.deepEqual(await countWaiting(database), { second: 1 });
  });
});
