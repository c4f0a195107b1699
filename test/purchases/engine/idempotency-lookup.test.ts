/**
 * The lookup of references before a bill: each gets its own purchase, and many at once cost few
 * statements.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal } from '../../../src/core/errors.ts';
import type { Sql } from '../../../src/db/database.ts';
import { ConnectionLostError, DatabaseUnavailableError } from '../../../src/db/database-errors.ts';
import { IdempotencyLookup } from '../../../src/purchases/engine/idempotency-lookup.ts';
import { openFileDatabase } from '../../support/file-database.ts';
import { accept, answer, openBuyer, purchase, resolveWords } from '../fixture.ts';

const database = await openFileDatabase();
const buyer = await openBuyer(database, 1_000_000n);
const other = await openBuyer(database, 1_000_000n);

let statements = 0;
const counting: Sql = {
  query: (...query) => {
    statements += 1;
    return database.query(...query);
  },
};

test('finds the purchase that used a reference, in its current state', async () => {
  const [pending, success, failed] = [purchase(buyer, 100n), purchase(buyer, 100n), purchase(buyer, 100n)];
  await accept(database, pending, success, failed);
  await resolveWords(database, answer(buyer, success, 'success'), answer(buyer, failed, 'failed'));
  const uses = new IdempotencyLookup(database);
  const found = await Promise.all([pending, success, failed].map((item) => uses.find(item)));
  assert.deepEqual(found, [
    { id: pending.id, status: 'pending' },
    { id: success.id, status: 'success' },
    { id: failed.id, status: 'failed' },
  ]);
});

test('a free reference finds nothing, nor does one of another merchant or environment', async () => {
  const item = purchase(buyer, 100n);
  await accept(database, item);
  const uses = new IdempotencyLookup(database);
  const { merchantId, environment, reference } = item;
  assert.equal(await uses.find({ merchantId, environment, reference: `${reference}x` }), undefined);
  assert.equal(await uses.find({ merchantId: other.merchantId, environment, reference }), undefined);
  assert.equal(await uses.find({ merchantId, environment: 'test', reference }), undefined);
  assert.equal((await uses.find({ merchantId, environment, reference }))?.id, item.id);
});

test('many lookups run together, and each gets its own answer', async () => {
  const items = Array.from({ length: 50 }, () => purchase(buyer, 100n));
  const used = items.filter((_, index) => index % 2 === 0);
  await accept(database, ...used);
  const uses = new IdempotencyLookup(counting);
  const found = await Promise.all(items.map((item) => uses.find(item)));
  assert.deepEqual(
    found.map((use) => use?.id),
    items.map((item, index) => (index % 2 === 0 ? item.id : undefined)),
  );
  assert.ok(statements <= 2, `${statements} statements`);
});

test('reports an unavailable database as such, and passes other errors on', async () => {
  for (const broken of [new DatabaseUnavailableError('it is away'), new ConnectionLostError('it broke')]) {
    const uses = new IdempotencyLookup({ query: () => Promise.reject(broken) });
    await assert.rejects(uses.find(purchase(buyer, 100n)), (error) => isRefusal(error, 'database_away'));
  }
  const faulty = new IdempotencyLookup({ query: () => Promise.reject(new TypeError('a fault of ours')) });
  await assert.rejects(faulty.find(purchase(buyer, 100n)), TypeError);
});
