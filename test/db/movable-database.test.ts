/**
 * Connections to a cell that moves. Two databases of one server play the two servers; the old one
 * has only the names of the tables, as types, as a move leaves it.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { isCellMoved, isUnavailable } from '../../src/db/database-errors.ts';
import { MovableDatabase } from '../../src/db/movable-database.ts';
import { createTestDatabase } from '../support/database.ts';

const clones = [
  await createTestDatabase({ empty: true }),
  await createTestDatabase({ empty: true }),
] as const;
const [from, to] = clones;
after(async () => {
  for (const clone of clones) await clone[Symbol.asyncDispose]();
});

const open = (connectionString: string): Database =>
  openDatabase({
    connectionString,
    connectionsMax: 2,
    applicationName: 'test',
    lockTimeoutMs: 50,
    onPoolError: () => undefined,
  });

async function leave(): Promise<void> {
  await from.database.query('drop table purchases');
  await from.database.query('create type purchases as (moved boolean)');
}

describe('a database that moves', () => {
  let address: string;
  let looked: number;
  let movable: MovableDatabase;

  before(async () => {
    for (const { database } of clones) await database.query('create table purchases (id integer)');
    address = from.connectionString;
    looked = 0;
    movable = new MovableDatabase(address, open, async () => {
      looked += 1;
      return address;
    });
  });
  after(() => movable[Symbol.asyncDispose]());

  it('stays where it is while nothing is refused', async () => {
    await movable.query('insert into purchases values (1)');
    assert.equal(looked, 0);
    assert.equal((await from.database.query('select from purchases')).length, 1);
  });

  it('waits for the lock of a move instead of failing, and for no other lock', async () => {
    await from.database.transaction(async (tx) => {
      await tx.query('lock table purchases in access exclusive mode');
      await assert.rejects(movable.query('insert into purchases values (2)'), { code: '55P03' });
    });
    let inserted: Promise<unknown> | undefined;
    await from.database.transaction(async (tx) => {
      await tx.query('lock table purchases in share row exclusive mode');
      inserted = movable.query('insert into purchases values (2)');
      // Longer than the timeout for locks.
      await tx.query('select pg_sleep(0.3)');
    });
    await inserted;
    assert.equal((await from.database.query('select from purchases')).length, 2);
  });

  it('repeats a statement at the new server when the old one has only the names', async () => {
    await leave();
    address = to.connectionString;
    await movable.query('insert into purchases values (3)');
    assert.equal(looked, 1);
    assert.deepEqual(await to.database.query('select id from purchases'), [{ id: 3 }]);
  });

  it('repeats a transaction whose first statement was refused, and no other', async () => {
    const calls: string[] = [];
    await using other = new MovableDatabase(from.connectionString, open, async () => address);
    await other.transaction(async (tx) => {
      calls.push('begun');
      await tx.query('insert into purchases values (4)');
    });
    assert.deepEqual(calls, ['begun', 'begun']);
    await using late = new MovableDatabase(from.connectionString, open, async () => address);
    await assert.rejects(
      late.transaction(async (tx) => {
        await tx.query('select 1');
        await tx.query('insert into purchases values (5)');
      }),
      (error) => isCellMoved(error) && isUnavailable(error),
    );
    assert.deepEqual(await to.database.query('select id from purchases order by id'), [{ id: 3 }, { id: 4 }]);
  });

  it('looks where the cell is when its server does not answer', async () => {
    const nowhere = new URL(from.connectionString);
    nowhere.pathname = '/no_such_database';
    await using other = new MovableDatabase(nowhere.href, open, async () => address);
    assert.equal((await other.query('select from purchases')).length, 2);
  });

  it('moves its listeners along', async () => {
    await using other = new MovableDatabase(from.connectionString, open, async () => address);
    const heard = Promise.withResolvers<string>();
    const up = Promise.withResolvers<void>();
    let ups = 0;
    await using _ = other.listen('news', {
      onNotice: heard.resolve,
      onUp: () => {
        ups += 1;
        if (ups === 2) up.resolve();
      },
      onDown: () => undefined,
    });
    while (ups === 0) await to.database.query('select');
    await other.query('select from purchases');
    await up.promise;
    await to.database.query("notify news, 'moved'");
    assert.equal(await heard.promise, 'moved');
  });
});
