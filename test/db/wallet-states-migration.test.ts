/**
 * The migration to wallets as states, on a database in which processes of 0.1.0 go on: what wallets
 * have is carried over, and what the old statements read and change stays right.
 */
import assert from 'node:assert/strict';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Database, openDatabase, type Sql } from '../../src/db/database.ts';
import { constraintName } from '../../src/db/database-errors.ts';
import { migrate } from '../../src/db/migrate.ts';
import { walletBalance } from '../../src/wallet/balance.ts';
import { createTestDatabase } from '../support/database.ts';

const migrations = join(import.meta.dirname, '..', '..', 'migrations');

async function migrateBefore(database: Database): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-before-'));
  try {
    const names = (await readdir(migrations)).filter((name) => /^00(0\d|1[0-7])_/.test(name));
    assert.equal(names.length, 17);
    for (const name of names) await cp(join(migrations, name), join(folder, name));
    await migrate(database, folder);
  } finally {
    await rm(folder, { recursive: true });
  }
}

/** The statements of 0.1.0, prepared under their names on each of its connections. */
const before = {
  find: {
    name: 'find_wallet',
    text: 'select account_id, environment, currency, posted, held, floor from wallets where account_id = $1',
  },
  lock: {
    name: 'old_lock',
    text: 'select account_id from wallets where account_id = any($1::bigint[]) order by account_id for update',
  },
  move: {
    name: 'old_move',
    text: `
      update wallets w
      set posted = w.posted + d.delta
      from unnest($1::bigint[], $2::bigint[]) as d(account_id, delta)
      where w.account_id = d.account_id`,
  },
  settle: {
    name: 'old_settle',
    text: `
      with released as (
        select wallet_id, 20::bigint as charge
        from unnest($1::bigint[]) as wallet_id
      ),
      settled as (
        update wallets w
        set
          posted = w.posted - 20,
          held = w.held - released.charge
        from released
        where w.account_id = released.wallet_id
      )
      select count(*)
      from released`,
  },
  floor: { name: 'old_floor', text: 'update wallets set floor = $2 where account_id = $1' },
  open: {
    name: 'old_open',
    text: 'insert into wallets (account_id, merchant_id, environment, currency) values ($1, $2, $3, $4)',
  },
};

async function found(sql: Sql): Promise<unknown> {
  const [row] = await sql.query(before.find, [1n]);
  return row;
}

test('what wallets have is carried over, and processes of 0.1.0 go on with it', async () => {
  await using clone = await createTestDatabase({ empty: true });
  const { database } = clone;
  await migrateBefore(database);
  await database.query(`
    insert into merchants (id, code, name) overriding system value values (7, 'SHOP', 'Shop');
    insert into accounts (id, code, kind, environment, currency) overriding system value
    values (1, 'w', 'wallet', 'live', 'NGN'), (2, 'x', 'wallet', 'live', 'USD');
    insert into wallets (account_id, merchant_id, environment, currency, posted, held, floor)
    values (1, 7, 'live', 'NGN', 1000, 40, -50)`);
  await using old = openDatabase({
    connectionString: clone.connectionString,
    connectionsMax: 1,
    applicationName: 'oja 0.1.0',
    onPoolError: () => undefined,
  });
  const wallet = {
    account_id: 1n,
    environment: 'live',
    currency: 'NGN',
    posted: 1_000n,
    held: 40n,
    floor: -50n,
  };
  assert.deepEqual(await found(old), wallet);
  await old.query(before.lock, [[1n]]);
  await old.query(before.move, [[1n], [0n]]);

  const { applied } = await migrate(database);
  assert.ok(applied.includes('0018_wallet_states.sql'));

  assert.deepEqual(await found(old), wallet);
  await old.transaction(async (tx) => {
    assert.equal((await tx.query(before.lock, [[1n]])).length, 1);
    // A newer process waits for the same lock.
    await assert.rejects(
      database.query('select 1 from wallet_owners where account_id = 1 for update nowait'),
      /could not obtain lock/,
    );
    await tx.query(before.move, [[1n], [500n]]);
    await tx.query(before.settle, [[1n]]);
  });
  await old.query(before.floor, [1n, -70n]);
  assert.deepEqual(await walletBalance(database, 1n), { posted: 1_480n, held: 20n, floor: -70n });
  await assert.rejects(
    old.query(before.move, [[1n], [-1_531n]]),
    (error) => constraintName(error) === 'wallets_above_floor',
  );
  await old.query(before.open, [2n, 7, 'live', 'USD']);
  assert.deepEqual(await walletBalance(database, 2n), { posted: 0n, held: 0n, floor: 0n });
});
