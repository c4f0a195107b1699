/**
 * The migration to leased queues, on a database in which work is under way: none of it is lost,
 * sent twice or reported twice.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { claimUnsettledAccounts } from '../../src/funding/funding-account-store.ts';
import { claimNotices } from '../../src/funding/notice-store.ts';
import { newId } from '../../src/kernel/ids.ts';
import { claimDeliveries, findExpiredDeliveries } from '../../src/messages/delivery-store.ts';
import { createTestDatabase } from '../support/database.ts';

const migrations = join(import.meta.dirname, '..', '..', 'migrations');

/** The schema as it was before. */
async function migrateBefore(database: Database): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-before-'));
  try {
    const names = (await readdir(migrations)).filter((name) => /^00(0\d|1[0-2])_/.test(name));
    assert.equal(names.length, 12);
    for (const name of names) await cp(join(migrations, name), join(folder, name));
    await migrate(database, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const [due, sending, unknown] = [newId(), newId(), newId()];

async function fill(database: Database): Promise<void> {
  await database.query(`
    insert into merchants (id, code, name) overriding system value values (7, 'SHOP', 'Shop');
    insert into accounts (id, code, kind, environment, currency) overriding system value values (1, 'w', 'wallet', 'live', 'NGN');
    insert into wallets (account_id, merchant_id, environment, currency) values (1, 7, 'live', 'NGN');
    insert into deliveries (merchant_id, environment, vend_id, channel, destination, hint, state, due_at, tries)
    values
      (7, 'live', '${due}', 'sms', '', '', 'due', now(), 1),
      (7, 'live', '${sending}', 'sms', '', '', 'sending', now() + interval '1 hour', 2),
      (7, 'live', '${unknown}', 'sms', '', '', 'unknown', null, 1);
    insert into late_goods (merchant_id, environment, vend_id, due_at, queries) values (7, 'live', '${due}', now(), 3);
    insert into bank_notices (provider, reference, source, due_at, tries, received_at, outcome)
    values
      ('monnify', 'told', 'notice', now(), 40, now() - interval '3 days', null),
      ('monnify', 'missed', 'notice', now(), 40, now() - interval '2 days', null),
      ('monnify', 'done', 'notice', null, 1, now() - interval '9 days', 'deposited');
    insert into funding_accounts (merchant_id, environment, currency, wallet_id, provider, reference, status, asked, asking_until, due_at, created_at)
    values (7, 'live', 'NGN', 1, 'monnify', 'oja-7-ngn', 'pending', 9, now() + interval '1 hour', now() + interval '1 hour', now() - interval '2 days');
    insert into alarms (kind, merchant_id, vend_id, message)
    values
      ('delivery', 7, '${unknown}', 'nobody knows'),
      ('deposit_unread', null, null, 'monnify told of payment told a day ago and cannot say what it is: HTTP 503'),
      ('funding_overdue', 7, null, 'monnify has not opened the NGN account oja-7-ngn within a day')`);
}

test('what is under way is carried over, with the alarms that were raised', async () => {
  await using clone = await createTestDatabase({ empty: true });
  const { database } = clone;
  await migrateBefore(database);
  await fill(database);
  const { applied } = await migrate(database);
  assert.equal(applied[0], '0013_leased_queue.sql');

  const deliveries = await claimDeliveries(database, { limit: 10, leaseMs: 60_000 });
  assert.deepEqual(
    deliveries.map(({ vendId, tries }) => [vendId, tries]),
    [[due, 2]],
  );
  // What an old process was sending is perhaps sent, once its time is over.
  assert.deepEqual(await findExpiredDeliveries(database, 10), []);
  await database.query(
    "update deliveries set due_at = now() where state = 'sending' and tries = 2 and vend_id = $1",
    [sending],
  );
  assert.deepEqual(await claimDeliveries(database, { limit: 10, leaseMs: 60_000 }), []);
  assert.deepEqual(
    (await findExpiredDeliveries(database, 10)).map(({ vendId, tries }) => [vendId, tries]),
    [[sending, 2]],
  );

  const notices = await claimNotices(database, ['monnify'], 10);
  assert.deepEqual(
    notices
      .map((notice) => [
        notice.reference,
        notice.tries,
        notice.open_since.getTime() === notice.received_at.getTime(),
      ])
      .sort(),
    [
      ['missed', 41, true],
      ['told', 41, true],
    ],
  );
  const told = await database.query('select reference from bank_notices where alarmed_at is not null');
  assert.deepEqual(told, [{ reference: 'told' }]);

  // An old process asks for it at this moment.
  assert.deepEqual(await claimUnsettledAccounts(database, ['monnify'], 10), []);
  await database.query('update funding_accounts set due_at = now()');
  const [account] = await claimUnsettledAccounts(database, ['monnify'], 10);
  assert.deepEqual([account?.tries, account?.status], [10, 'pending']);
  const rest = await database.query(
    `select
       (select tries from late_goods) as asked,
       (select alarmed_at is not null and requested_at = created_at from funding_accounts) as account_told,
       (select alarmed_at is not null from deliveries where vend_id = $1) as delivery_told`,
    [unknown],
  );
  assert.deepEqual(rest, [{ asked: 3, account_told: true, delivery_told: true }]);
});

test('a program without leases cannot take a delivery that could then be sent a second time', async () => {
  await using clone = await createTestDatabase({ empty: true });
  const { database } = clone;
  await migrateBefore(database);
  await fill(database);
  await migrate(database);
  await assert.rejects(
    database.query("update deliveries set state = 'sending', tries = tries + 1 where vend_id = $1", [due]),
    /deliveries_leased/,
  );
  // It may still say what became of the one that it had.
  await database.query("update deliveries set state = 'sent', due_at = null where vend_id = $1", [sending]);
});
