/**
 * What callbacks say that there is news of: each brings its own vend forward and no other, and very
 * many that know nothing cost few statements.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import type { Sql } from '../../../src/db/database.ts';
import { isRefusal } from '../../../src/kernel/errors.ts';
import { limits } from '../../../src/kernel/limits.ts';
import { CallbackHints } from '../../../src/vending/path/callback-hints.ts';
import { createTestDatabase } from '../../support/database.ts';
import { accept, answer, openBuyer, purchase, resolveWords } from '../fixture.ts';

const clone = await createTestDatabase();
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());
const buyer = await openBuyer(database, 1_000_000n);

let statements = 0;
const counting: Sql = {
  query: (...query) => {
    statements += 1;
    return database.query(...query);
  },
};

/** Vends whose next question is some seconds away. */
async function waiting(count: number) {
  const items = Array.from({ length: count }, () => purchase(buyer, 100n, { mode: 'sync' }));
  await accept(database, ...items);
  await resolveWords(database, ...items.map((item) => answer(buyer, item, 'accepted')));
  return items;
}

const known = (id: string) => ({ provider: 'sandbox', reference: `p-${id}` });

async function dueOf(ids: readonly string[]): Promise<string[]> {
  const rows = await database.query<{ vend_id: string }>(
    'select vend_id from pending_vends where vend_id = any($1) and due_at <= now()',
    [ids],
  );
  return rows.map(({ vend_id }) => vend_id).sort();
}

test('each brings its own vend forward, beside many that are of nothing', async () => {
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

test('a thousand of nothing take few statements', async () => {
  const hints = new CallbackHints(counting);
  statements = 0;
  const taken = await Promise.all(
    Array.from({ length: 1_000 }, (_, index) => hints.take(known(`none-${index}`))),
  );
  assert.ok(taken.every((id) => id === undefined));
  assert.ok(statements <= 10, `${statements} statements`);
});

test('more than may wait are refused, and those that wait are served', async () => {
  const [item] = await waiting(1);
  const open = Promise.withResolvers<void>();
  const hints = new CallbackHints({
    query: async (...query) => {
      await open.promise;
      return await database.query(...query);
    },
  });
  const all = [hints.take(known(item?.id ?? ''))];
  for (let index = 0; index < limits.callbacksWaiting + 3 * limits.batchMax; index += 1) {
    all.push(hints.take(known(`more-${index}`)));
  }
  const ends = Promise.allSettled(all);
  open.resolve();
  const refused = (await ends).filter((end) => end.status === 'rejected');
  assert.ok(refused.length > 0);
  assert.ok(refused.every(({ reason }) => isRefusal(reason, 'purchases_full')));
  assert.equal(await all[0], item?.id);
});
