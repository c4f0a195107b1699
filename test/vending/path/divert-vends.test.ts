/**
 * What waits for a provider that is held back, or full, goes to the next of its route that has
 * room; nothing goes where it may not.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Database } from '../../../src/db/database.ts';
import type { AcceptItem } from '../../../src/vending/path/accept-store.ts';
import { VendDiversion } from '../../../src/vending/path/divert-vends.ts';
import { Lane, type LaneOptions } from '../../../src/vending/path/lane.ts';
import { resolveVends } from '../../support/commit-vends.ts';
import { createTestDatabase } from '../../support/database.ts';
import { accept, answer, type Buyer, gatewayId, openBuyer, purchase } from '../fixture.ts';

const PATIENCE_MS = 60_000;

type State = ReturnType<LaneOptions['state']>;

/** Lanes of two providers, `first` with no room, and what was woken. */
function openLanes(database: Database, first: State | 'paused', secondPlaces = 20) {
  const lane = (state: State | 'paused', callsAtOnce: number): Lane =>
    new Lane({
      capacity: { callsAtOnce, readsAtOnce: 1, perSecond: 0, pacesQuestions: false },
      state: () => (state === 'paused' ? 'closed' : state),
      isPaused: () => state === 'paused',
      placesMax: 1_000,
    });
  const lanes = new Map([
    ['first', lane(first, 1)],
    ['second', lane('closed', secondPlaces)],
  ]);
  lanes.get('first')?.take('send');
  const woken: string[] = [];
  const diversion = new VendDiversion(database, lanes, PATIENCE_MS, (provider) => woken.push(provider));
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
    `select provider, count(*)::integer as count from pending_vends where step = 'send' group by provider`,
  );
  return Object.fromEntries(rows.map(({ provider, count }) => [provider, count]));
}

describe('purchases that wait for a provider', () => {
  it('go to the next of their route at once when it is held back, as many as that one takes', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const { diversion, woken } = openLanes(database, 'open');
    await queue(database, await openBuyer(database, 1_000n), 30);
    await diversion.run();
    // A tenth of the places is left to questions.
    assert.deepEqual(await countWaiting(database), { first: 12, second: 18 });
    assert.deepEqual(woken, ['second']);
    await diversion.run();
    assert.deepEqual(await countWaiting(database), { second: 30 });
  });

  it('go there at once when it is paused', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const { diversion } = openLanes(database, 'paused');
    await queue(database, await openBuyer(database, 1_000n), 10);
    await diversion.run();
    assert.deepEqual(await countWaiting(database), { second: 10 });
  });

  it('stay a while when it is well and only full', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const { diversion, woken } = openLanes(database, 'closed');
    const [item] = await queue(database, await openBuyer(database, 1_000n), 2);
    await diversion.run();
    assert.deepEqual([await countWaiting(database), woken], [{ first: 2 }, []]);
    await database.query(
      `update pending_vends set due_at = now() - interval '61 seconds' where vend_id = $1`,
      [item?.id],
    );
    await diversion.run();
    assert.deepEqual([await countWaiting(database), woken], [{ first: 1, second: 1 }, ['second']]);
  });

  it('stay when nobody else of their route has room, or there is nobody else', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const buyer = await openBuyer(database, 1_000n);
    await queue(database, buyer, 3, { route: ['first'] });
    await queue(database, buyer, 3, { route: ['first', 'third'] });
    await openLanes(database, 'open').diversion.run();
    assert.deepEqual(await countWaiting(database), { first: 6 });
  });

  it('do not go to one that refused them, nor while they are to wait', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const buyer = await openBuyer(database, 1_000n);
    const attempt = { provider: 'second', reference: 'p-1', reason: 'test' };
    const refused = purchase(buyer, 1n, { mode: 'sync', route: ['first', 'second'], attempt });
    await accept(database, refused);
    const retry = { kind: 'retry', dueMs: 0, provider: 'first' } as const;
    await resolveVends(database, [answer(buyer, refused, 'failed', { effect: retry })]);
    const [later] = await queue(database, buyer, 1);
    await database.query(`update pending_vends set due_at = now() + interval '1 minute' where vend_id = $1`, [
      later?.id,
    ]);
    const { diversion } = openLanes(database, 'open');
    await diversion.run();
    assert.deepEqual(await countWaiting(database), { first: 2 });
  });

  it('are found behind any number that have to stay', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    const buyer = await openBuyer(database, 10_000n);
    for (let batch = 0; batch < 5; batch += 1) await queue(database, buyer, 500, { route: ['first'] });
    await queue(database, buyer, 1);
    const { diversion } = openLanes(database, 'open');
    await diversion.run();
    assert.deepEqual(await countWaiting(database), { first: 2_501 });
    await diversion.run();
    assert.deepEqual(await countWaiting(database), { first: 2_500, second: 1 });
  });

  it('are not taken away from a worker that is taking them', async () => {
    await using clone = await createTestDatabase();
    const { database } = clone;
    await queue(database, await openBuyer(database, 1_000n), 2);
    const { diversion } = openLanes(database, 'open');
    await database.transaction(async (tx) => {
      await tx.query(
        `update pending_vends set step = 'query', owner = $1
         where vend_id = (select min(vend_id::text)::uuid from pending_vends)`,
        [gatewayId],
      );
      await diversion.run();
    });
    assert.deepEqual(await countWaiting(database), { second: 1 });
  });
});
