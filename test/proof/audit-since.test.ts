/**
 * The audit of what is new sees each corruption that concerns it, as the whole audit does, and
 * misses nothing that was under way when the audit before it began.
 */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { findLastClean } from '../../src/audit/audit-run-store.ts';
import { auditSince } from '../../src/audit/audit-since.ts';
import { runAudit } from '../../src/audit/run-audit.ts';
import { bookOldTransfer, closeOldDay } from '../audit/closed-day.ts';
import { corruptions } from '../audit/corruptions.ts';
import { makeDeposits } from '../audit/deposits.ts';
import { makeDoubt } from '../audit/doubt.ts';
import { makeVends, openShop } from '../audit/fixture.ts';
import { failedOf, inSpoilt } from '../audit/spoilt.ts';
import { makeVouchers } from '../audit/vouchers.ts';
import { createTestDatabase } from '../support/database.ts';

const clone = await createTestDatabase();
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());

await bookOldTransfer(database);
assert.equal((await runAudit(database, { sinceLast: false })).kind, 'whole');
const mark = (await findLastClean(database)) ?? assert.fail('no clean audit');

await closeOldDay(database);
const shop = await openShop(database);
const names = new Map([
  ...(await makeVends(database, shop)),
  ...(await makeDeposits(database, shop)),
  ...(await makeVouchers(database, shop)),
  ...(await makeDoubt(database, shop)),
  ['shop', String(shop.merchantId)],
  ['wallet', String(shop.walletId)],
]);

test('what is new and in order passes every check', async () => {
  for (const rowsPerSlice of [undefined, 1, 3]) {
    const audited = await auditSince(database, mark, rowsPerSlice === undefined ? {} : { rowsPerSlice });
    assert.deepEqual(failedOf(audited?.checks ?? assert.fail('too much')), new Map());
  }
});

for (const [index, { what, red, sql }] of corruptions.entries()) {
  test(`seen: ${what}`, async () => {
    const rowsPerSlice = [100, 3, 6][index % 3] ?? 100;
    const audited = await inSpoilt(database, names, sql, (tx) =>
      auditSince({ transaction: (work) => work(tx) }, mark, { rowsPerSlice }),
    );
    const found = failedOf(audited?.checks ?? assert.fail('too much'));
    assert.deepEqual([...found.keys()].sort(), [...red].sort());
    assert.ok([...found.values()].every((count) => count > 0));
  });
}

test('so much that is new is left to the whole audit', async () => {
  assert.equal(await auditSince(database, mark, { changedMax: 3 }), undefined);
});
