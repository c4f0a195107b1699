/**
 * A locked wallet is set aside with its purchases, and the others continue. A batch that takes too
 * long for another reason is rolled back: none of it is stored, and its purchases may be sent
 * again.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { noFailpoints } from '../../../src/core/failpoints.ts';
import { limits } from '../../../src/core/limits.ts';
import { openDatabase } from '../../../src/db/database.ts';
import { isLockTimeout, isUnavailable } from '../../../src/db/database-errors.ts';
import { PurchaseCommits } from '../../../src/purchases/engine/commit-purchases.ts';
import { createTestDatabase } from '../../support/database.ts';
import { count, gatewayId, moneyOf, openBuyer, purchase } from '../fixture.ts';

const TIMEOUT_MS = 1_000;

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const buyer = await openBuyer(clone.database, 1_000_000n);

test('refuses purchases of a wallet that is locked for too long together, then accepts them', async (t) => {
  await using impatient = openDatabase({
    connectionString: clone.connectionString,
    connectionsMax: 4,
    applicationName: 'oja test',
    statementTimeoutMs: TIMEOUT_MS,
    onPoolError: () => undefined,
  });
  const statements = t.mock.method(impatient, 'query');
  let batches = 0;
  const commits = new PurchaseCommits(impatient, gatewayId, noFailpoints, {
    onBatch: () => {
      batches += 1;
    },
  });
  const items = Array.from({ length: 20 }, () => purchase(buyer, 100n));
  await clone.database.transaction(async (tx) => {
    await tx.query('select 1 from wallet_owners for update');
    const outcomes = await Promise.allSettled(items.map((item) => commits.accept(item)));
    assert.ok(outcomes.every((one) => one.status === 'rejected' && isUnavailable(one.reason)));
    // Not once more for each: the next would wait for the same lock, two at a time.
    const tried = statements.mock.callCount();
    assert.ok(tried < items.length / 2, `${tried} statements`);
  });
  assert.equal(await count(clone.database, 'purchases'), 0);
  assert.equal((await moneyOf(clone.database, buyer)).held, 0n);
  const verdicts = await Promise.all(items.map((item) => commits.accept(item)));
  assert.ok(verdicts.every((verdict) => verdict.kind === 'accepted'));
  assert.equal(batches, 1);
});

test('a locked wallet delays its own purchases only', async (t) => {
  await using database = openDatabase({
    connectionString: clone.connectionString,
    connectionsMax: 4,
    applicationName: 'oja test',
    lockTimeoutMs: limits.lockWaitMs,
    onPoolError: () => undefined,
  });
  // Batches of the free wallet that waited without success.
  let waited = 0;
  const query = database.query.bind(database);
  t.mock.method(database, 'query', async (statement: string, values: readonly unknown[]) => {
    try {
      return await query(statement, values);
    } catch (error) {
      if (isLockTimeout(error) && values.flat().includes(buyer.walletId)) waited += 1;
      throw error;
    }
  });
  const commits = new PurchaseCommits(database, gatewayId, noFailpoints, { onBatch: () => undefined });
  const held = await openBuyer(clone.database, 1_000_000n);
  const stuck: Promise<unknown>[] = [];
  let accepted = 0;
  await clone.database.transaction(async (tx) => {
    await tx.query('select 1 from wallet_owners where account_id = $1 for update', [held.walletId]);
    const until = performance.now() + 4 * limits.lockWaitMs;
    while (performance.now() < until || accepted <= 20) {
      stuck.push(commits.accept(purchase(held, 100n)));
      assert.equal((await commits.accept(purchase(buyer, 100n))).kind, 'accepted');
      accepted += 1;
    }
    assert.equal(await Promise.race([...stuck, 'they wait']), 'they wait');
  });
  assert.equal(waited, 1, 'only the first');
  for (const verdict of await Promise.all(stuck)) assert.deepEqual(verdict, { kind: 'accepted' });
  assert.equal((await moneyOf(clone.database, held)).held, BigInt(stuck.length) * 100n);
});
