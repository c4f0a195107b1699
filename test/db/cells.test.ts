/**
 * Databases with cells: every marked table is partitioned by merchant, row triggers work in
 * partitions too, and statements that find rows by ctid read them from one partition.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { prepareDatabase } from '../../src/app/open-storage.ts';
import { createSealer, newSealingKey } from '../../src/core/sealing.ts';
import { type Database, openDatabase, type Sql } from '../../src/db/database.ts';
import { CellLookup, findCells } from '../../src/db/find-cells.ts';
import { migrate } from '../../src/db/migrate.ts';
import { partitionTables } from '../../src/db/partition-tables.ts';
import { deleteOldEvents } from '../../src/notifications/events/event-store.ts';
import { listKeysOperation } from '../../src/operate/keys/operations/list-keys.ts';
import { rotateKeys } from '../../src/operate/keys/operations/rotate-keys.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import { consumeCountDeltas, firstCountPlace } from '../../src/purchases/history/purchase-count-store.ts';
import { createTestDatabase } from '../support/database.ts';
import { failedWith } from '../support/refusals.ts';

const CELLS = 8;
const clone = await createTestDatabase({ empty: true });
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());
await prepareDatabase(database, builtInProviders, CELLS);

/** Two merchants of different cells. */
async function twoMerchants(): Promise<[number, number]> {
  const rows = await database.query<{ id: number }>(
    `select min(n) as id
     from generate_series(1, 100) as n
     group by satisfies_hash_partition('purchases'::regclass, $1, 0, n)`,
    [CELLS],
  );
  const [one, other] = rows.map(({ id }) => id);
  assert.ok(one !== undefined && other !== undefined);
  return [one, other];
}

/** A copy of the folder of migrations with one more. */
async function migrationsAnd(text: string): Promise<AsyncDisposable & { readonly path: string }> {
  const source = join(import.meta.dirname, '..', '..', 'migrations');
  const count = (await readdir(source)).filter((name) => /^\d{4}_/.test(name)).length;
  const path = await mkdtemp(join(tmpdir(), 'oja-migrations-'));
  await cp(source, path, { recursive: true });
  await writeFile(join(path, `${String(count + 1).padStart(4, '0')}_more.sql`), text);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

const tablesOf = (of: Database): Promise<{ name: string; partitions: bigint }[]> =>
  of.query(`
    select c.relname::text as name, count(i.inhrelid) as partitions
    from pg_class c
    left join pg_inherits i on i.inhparent = c.oid
    where c.relkind = 'p'
    group by c.relname
    order by c.relname`);

describe('the text of a migration', () => {
  const text = `-- In cells.
create table sales (
  merchant_id integer not null,
  constraint sales_pkey primary key (merchant_id)
) with (
  fillfactor = 50
);

-- In cells.
create table goods (
  merchant_id integer not null
);

create table people (
  id integer not null
);
`;

  it('is unchanged with one cell', () => {
    assert.equal(partitionTables(text, 1), text);
  });

  it('has the partitions of marked tables with several, and their storage parameters', () => {
    const [sales = '', goods = '', people = ''] = partitionTables(text, 2).split('\n\n');
    const values = (remainder: number): string => `for values with (modulus 2, remainder ${remainder})`;
    assert.match(sales, /^create table sales \([^;]*\) partition by hash \(merchant_id\);$/m);
    assert.ok(
      sales.includes(`create table sales_0 partition of sales ${values(0)} with (\n  fillfactor = 50\n);`),
    );
    assert.ok(
      sales.includes(`create table sales_1 partition of sales ${values(1)} with (\n  fillfactor = 50\n);`),
    );
    assert.ok(goods.includes(`create table goods_1 partition of goods ${values(1)};`));
    assert.equal(people, 'create table people (\n  id integer not null\n);\n');
  });
});

describe('a new database', () => {
  it('has a partition of each marked table for each cell', async () => {
    const tables = await tablesOf(database);
    assert.ok(tables.some(({ name }) => name === 'purchases'));
    for (const { name, partitions } of tables) assert.equal(partitions, BigInt(CELLS), name);
  });

  it('keeps the rows of a merchant in the same cell of every table', async () => {
    const tables = await tablesOf(database);
    const places = tables.map(
      ({ name }) => `satisfies_hash_partition('${name}'::regclass, ${CELLS}, cell, n)`,
    );
    const rows = await database.query<{ odd: bigint }>(`
      select count(*) filter (where num_nonnulls(${places.map((place) => `nullif(${place}, false)`)})
        not in (0, ${tables.length})) as odd
      from generate_series(1, 50) as n, generate_series(0, ${CELLS - 1}) as cell`);
    assert.deepEqual(rows, [{ odd: 0n }]);
  });

  it('has statistics of every partition, which is empty', async () => {
    const [row] = await database.query<{ tables: bigint }>(
      "select count(distinct tablename) as tables from pg_stats where tablename ~ '^purchases_\\d+$'",
    );
    assert.equal(row?.tables, BigInt(CELLS));
    assert.deepEqual(await database.query('select from purchases limit 1'), []);
  });

  it('is opened again with the same setting or without it, and refuses another number', async () => {
    assert.deepEqual(await migrate(database), []);
    assert.deepEqual(await migrate(database, undefined, CELLS), []);
    for (const cells of [1, 4]) {
      await assert.rejects(migrate(database, undefined, cells), failedWith('cells_other'));
    }
  });

  it('has no partitions without the setting, and refuses to get them later', async () => {
    await using plain = await createTestDatabase({ empty: true });
    await migrate(plain.database);
    assert.deepEqual(await tablesOf(plain.database), []);
    assert.deepEqual(await migrate(plain.database, undefined, 1), []);
    await assert.rejects(migrate(plain.database, undefined, CELLS), failedWith('cells_other'));
  });
});

describe('the schema of a cell', () => {
  const open = (schema: string): Database =>
    openDatabase({
      connectionString: clone.connectionString,
      connectionsMax: 1,
      applicationName: 'oja test',
      onPoolError: () => undefined,
      schema,
    });
  const insert = (sql: Sql, merchantId: number): Promise<unknown> =>
    sql.query(
      `insert into purchase_count_deltas (merchant_id, environment, network, status, count)
       values ($1, 'live', 'MTN', 'success', 1)`,
      [merchantId],
    );
  const merchantsOf = async (sql: Sql): Promise<number[]> => {
    const rows = await sql.query<{ id: number }>(
      'select distinct merchant_id as id from purchase_count_deltas order by 1',
    );
    return rows.map(({ id }) => id);
  };

  it('shows and takes the rows of its merchants, and refuses those of others', async () => {
    const merchants = await twoMerchants();
    const lookup = new CellLookup(database);
    const cells = await Promise.all(merchants.map((id) => lookup.find(id)));
    const [first, second] = await findCells(database, clone.connectionString).then((all) =>
      cells.map((cell) => all[cell]),
    );
    assert.ok(first !== undefined && second !== undefined && first.number !== second.number);
    await using one = open(first.schema);
    await using other = open(second.schema);
    await insert(one, merchants[0]);
    await insert(other, merchants[1]);
    await assert.rejects(insert(one, merchants[1]), /violates partition constraint/);
    assert.deepEqual(await merchantsOf(one), [merchants[0]]);
    assert.deepEqual(await merchantsOf(other), [merchants[1]]);
    assert.deepEqual(
      await merchantsOf(database),
      merchants.toSorted((a, b) => a - b),
    );
    await database.query('delete from purchase_count_deltas');
  });

  it('has a view of every partitioned table and of every view', async () => {
    const names = await database.query<{ name: string }>(`
      select relname as name
      from pg_class
      where relnamespace = 'public'::regnamespace
      and relkind in ('p', 'v')
      order by name`);
    for (const { schema } of await findCells(database, clone.connectionString)) {
      const views = await database.query<{ name: string }>(
        `select relname as name
         from pg_class
         where relnamespace = $1::regnamespace
         and relkind = 'v'
         order by name`,
        [schema],
      );
      assert.deepEqual(views, names, schema);
    }
  });

  it('has the columns that a migration adds, and lets it change those that are there', async () => {
    await using other = await createTestDatabase({ empty: true });
    const more = `
      alter table purchases add column note text;
      alter table batches alter column name type varchar(500);`;
    await using folder = await migrationsAnd(more);
    await migrate(other.database, undefined, 2);
    assert.equal((await migrate(other.database, folder.path)).length, 1);
    for (const schema of ['oja_cell_0', 'oja_cell_1']) {
      assert.deepEqual(await other.database.query(`select note from ${schema}.purchases`), [], schema);
    }
  });

  it('needs the tables in the schema public', async () => {
    await using other = await createTestDatabase({ empty: true });
    await other.database.query('create schema shop');
    await using inShop = openDatabase({
      connectionString: `${other.connectionString}&options=-c%20search_path%3Dshop`,
      connectionsMax: 1,
      applicationName: 'oja test',
      onPoolError: () => undefined,
    });
    await assert.rejects(migrate(inShop, undefined, CELLS), failedWith('cells_schema'));
    assert.notDeepEqual(await migrate(inShop), []);
  });
});

describe('a partition', () => {
  it('refuses to lose rows that never change, and allows it for others', async () => {
    for (const table of ['purchases', 'purchase_outcomes', 'transfers', 'purchase_refunds']) {
      for (const name of [table, `${table}_3`]) {
        await assert.rejects(database.query(`delete from ${name}`), /append-only/, name);
        await assert.rejects(database.query(`truncate ${name}`), /append-only/, name);
      }
    }
    await database.query('delete from pending_purchases_3');
    await database.query('truncate purchase_search_3');
  });
});

describe('rows that are found by their addresses', () => {
  it('adds up only the counts that were locked', async () => {
    for (const merchantId of await twoMerchants()) {
      await database.query(
        `insert into purchase_count_deltas (merchant_id, environment, network, status, count)
         values ($1, 'live', 'MTN', 'accepted', 1)`,
        [merchantId],
      );
    }
    const { consumed } = await database.transaction((tx) => consumeCountDeltas(tx, firstCountPlace, 1));
    assert.equal(consumed, 1);
    const [left] = await database.query('select count(*) as count from purchase_count_deltas');
    assert.deepEqual(left, { count: 1n });
    const [counted] = await database.query('select sum(count) as count from purchase_counts');
    assert.equal(Number(counted?.count), 1);
  });

  it('deletes only old events', async () => {
    const [old, fresh] = await twoMerchants();
    for (const [merchantId, days] of [
      [old, 40],
      [fresh, 0],
    ]) {
      await database.query(
        `insert into events (merchant_id, environment, id, type, at)
         values ($1, 'live', $2, 'purchase.failed', now() - $3 * interval '1 day')`,
        [merchantId, randomUUID(), days],
      );
    }
    assert.equal(await deleteOldEvents(database, 10), 1);
    assert.deepEqual(await database.query('select merchant_id from events'), [{ merchant_id: fresh }]);
  });

  it('seals the values of every partition again, and counts them', async () => {
    const oldKey = newSealingKey();
    const before = createSealer(oldKey);
    const now = createSealer(newSealingKey(), [oldKey]);
    for (const merchantId of await twoMerchants()) {
      const id = randomUUID();
      await database.query(
        `insert into sealed_goods (merchant_id, purchase_id, key_id, sealed)
         values ($1, $2, $3, $4)`,
        [merchantId, id, before.keyId, before.seal(`sealed_goods/${id}/sealed`, 'a card')],
      );
    }
    const rotated = await rotateKeys(database, now, 'ada');
    assert.deepEqual(
      rotated.find(({ table }) => table === 'sealed_goods'),
      { table: 'sealed_goods', resealed: 2, unopened: 0 },
    );
    const { data } = await listKeysOperation.run({ sql: database, sealer: async () => now }, {});
    assert.deepEqual(
      data.map(({ table, key, count }) => [table, key, count]),
      [['sealed_goods', now.keyId, 2]],
    );
  });
});
