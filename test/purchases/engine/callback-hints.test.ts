/**
 * Callbacks are hints: each brings only its own purchase forward, and many of them use few
 * connections.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal } from '../../../src/core/errors.ts';
import { limits } from '../../../src/core/limits.ts';
import { CallbackHints } from '../../../src/purchases/engine/callback-hints.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { accept, answer, openBuyer, purchase, resolveWords } from '../fixture.ts';

const database = await openFileDatabase();
const buyer = await openBuyer(database, 1_000_000n);

/** Purchases whose next question is an hour away. */
async function waiting(count: number) {
  const items = Array.from({ length: count }, () => purchase(buyer, 100n, { mode: 'sync' }));
  await accept(database, ...items);
  await resolveWords(database, ...items.map((item) => answer(buyer, item, 'accepted')));
  await database.query(
    `update pending_purchases
     set due_at = now() + interval '1 hour'
     where purchase_id = any($1)`,
    [items.map(({ id }) => id)],
  );
  return items;
}

const known = (id: string) => ({ provider: 'sandbox', reference: `p-${id}` });

async function dueOf(ids: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ purchase_id: string }>(
    'select purchase_id from pending_purchases where purchase_id = any($1) and due_at <= now()',
    [ids],
  );
  return rows.map(({ purchase_id }) => purchase_id).sort();
}

test('advances the purchase of each hint, among many unknown ones', async () => {
  const items = await waiting(4);
  const [first, second, another, left] = items.map(({ id }) => id) as [string, string, string, string];
  const hints = new CallbackHints(database);
  const taken = await Promise.all([
    hints.take(known(first)),
    ...Array.from({ length: 300 }, (_, index) => hints.take(known(`nobody-${index}`))),
    hints.take(known(second)),
    hints.take({ ...known(another), provider: 'vtpass' }),
    hints.take(known(second)),
  ]);
  assert.deepEqual(
    taken.filter((id) => id !== undefined),
    [first, second],
  );
  assert.deepEqual(await dueOf([first, second, another, left]), [first, second].sort());
  assert.equal(await hints.take(known(first)), undefined, 'it is due already');
});

test('counts one of two callbacks at once, also if it began first and waited', async () => {
  const [item] = await waiting(1);
  assert.ok(item);
  await database.transaction(async (tx) => {
    await tx.query('select now()');
    assert.equal(await new CallbackHints(database).take(known(item.id)), item.id);
    assert.equal(await new CallbackHints(tx).take(known(item.id)), undefined);
  });
});

test('a wait that a hint ends early does not count as a wait', async () => {
  const [hinted, left] = (await waiting(2)).map(({ id }) => id) as [string, string];
  const waitsOf = async (id: string): Promise<number | undefined> => {
    const rows = await database.query<{ queries: number }>(
      'select queries from pending_purchases where purchase_id = $1',
      [id],
    );
    return rows[0]?.queries;
  };
  await database.query('update pending_purchases set queries = 2 where purchase_id = any($1)', [
    [hinted, left],
  ]);
  await new CallbackHints(database).take(known(hinted));
  assert.deepEqual([await waitsOf(hinted), await waitsOf(left)], [1, 2]);
});

test('the query that a hint causes is not counted, even before the first wait', async () => {
  const [item] = await waiting(1);
  assert.ok(item);
  await new CallbackHints(database).take(known(item.id));
  await resolveWords(database, answer(buyer, item, 'not_found', { source: 'query' }));
  const rows = await database.query<{ queries: number }>(
    'select queries from pending_purchases where purchase_id = $1',
    [item.id],
  );
  assert.deepEqual(rows, [{ queries: 0 }]);
});

test('looks up a few at once, for any number of hints', async () => {
  let atOnce = 0;
  let most = 0;
  const hints = new CallbackHints({
    query: async (...query) => {
      atOnce += 1;
      most = Math.max(most, atOnce);
      const found = await database.query(...query);
      atOnce -= 1;
      return found as never;
    },
  });
  const taken = await Promise.all(
    Array.from({ length: 300 }, (_, index) => hints.take(known(`none-${index}`))),
  );
  assert.ok(taken.every((id) => id === undefined));
  assert.equal(most, limits.callbacksAtOnce);
});

test('refuses more hints than may wait, and serves those that wait', async () => {
  const [item] = await waiting(1);
  const open = Promise.withResolvers<void>();
  const hints = new CallbackHints({
    query: async (...query) => {
      await open.promise;
      return await database.query(...query);
    },
  });
  const all = [hints.take(known(item?.id ?? ''))];
  for (let index = 0; index < limits.callbacksWaiting + 10; index += 1) {
    all.push(hints.take(known(`more-${index}`)));
  }
  const ends = Promise.allSettled(all);
  open.resolve();
  const refused = (await ends).filter((end) => end.status === 'rejected');
  assert.ok(refused.length > 0);
  assert.ok(refused.every(({ reason }) => isRefusal(reason, 'purchases_full')));
  assert.equal(await all[0], item?.id);
});
