/** Migrations run once and in order; a folder that does not fit the database is refused. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { sqlState } from '../../src/db/database-errors.ts';
import { migrate } from '../../src/db/migrate.ts';
import { createTestDatabase } from '../support/database.ts';
import { failedWith } from '../support/refusals.ts';
import { until } from '../support/until.ts';

const first = 'create table notes (id integer);\ninsert into notes (id) values (1);';
const second = 'alter table notes add column text text;';
const functionText = (answer: number): string =>
  `create or replace function answer() returns integer language sql as $$ select ${answer} $$;`;

/** A folder of migrations, written as given: name to text. */
async function folderOf(files: Record<string, string>): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'oja-migrations-'));
  await mkdir(join(path, 'functions'));
  for (const [name, text] of Object.entries(files)) {
    await writeFile(join(path, name), text);
  }
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test('applies every migration to a new database in order, then the functions, and nothing the second time', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using folder = await folderOf({
    '0002_second.sql': second,
    '0001_first.sql': first,
    'functions/b.sql': 'create or replace function b() returns integer language sql as $$ select a() $$;',
    'functions/a.sql': 'create or replace function a() returns integer language sql as $$ select 7 $$;',
    'README.md': 'not a migration',
  });
  const names = ['0001_first.sql', '0002_second.sql', 'functions/a.sql', 'functions/b.sql'];
  assert.deepEqual(await migrate(clone.database, folder.path), names);
  assert.deepEqual(await migrate(clone.database, folder.path), []);
  assert.deepEqual(await clone.database.query('select id, text, b() from notes'), [
    { id: 1, text: null, b: 7 },
  ]);
});

test('processes that start at once migrate once', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using folder = await folderOf({
    '0001_first.sql': first,
    '0002_second.sql': second,
    'functions/a.sql': functionText(1),
  });
  const runs = await Promise.all(Array.from({ length: 5 }, () => migrate(clone.database, folder.path)));
  assert.deepEqual(runs.flat().sort(), ['0001_first.sql', '0002_second.sql', 'functions/a.sql']);
  assert.deepEqual(await clone.database.query('select id from notes'), [{ id: 1 }]);
});

test('a function runs again when its text has changed', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using folder = await folderOf({ 'functions/a.sql': functionText(1) });
  await migrate(clone.database, folder.path);
  await writeFile(join(folder.path, 'functions/a.sql'), functionText(2));
  assert.deepEqual(await migrate(clone.database, folder.path), ['functions/a.sql']);
  assert.deepEqual(await clone.database.query('select answer()'), [{ answer: 2 }]);
});

test('a migration that changed after it ran is refused; other line ends are no change', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using folder = await folderOf({ '0001_first.sql': first });
  await migrate(clone.database, folder.path);
  await writeFile(join(folder.path, '0001_first.sql'), first.replaceAll('\n', '\r\n'));
  assert.deepEqual(await migrate(clone.database, folder.path), []);
  await writeFile(join(folder.path, '0001_first.sql'), `${first} -- harmless?`);
  await writeFile(join(folder.path, '0002_second.sql'), second);
  await assert.rejects(migrate(clone.database, folder.path), {
    name: 'MigrationError',
    code: 'migration_changed',
    message: /\b0001_first\.sql\b/,
  });
  await assert.rejects(
    clone.database.query('select text from notes'),
    (error) => sqlState(error) === '42703',
    'nothing after the refused one may run',
  );
});

test('a gap, a doubled number and a strange name are refused before anything runs', async () => {
  for (const name of ['0003_gap.sql', '0001_again.sql', '2_short.sql', '0002 blank.sql']) {
    await using clone = await createTestDatabase({ empty: true });
    await using folder = await folderOf({ '0001_first.sql': first, [name]: second });
    await assert.rejects(migrate(clone.database, folder.path), failedWith('migration_numbers'), name);
    const tables = await clone.database.query(`select from pg_tables where schemaname = 'public'`);
    assert.deepEqual(tables, [], name);
  }
});

test('a database newer than the code, or of another history, is refused', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using folder = await folderOf({ '0001_first.sql': first, '0002_second.sql': second });
  await migrate(clone.database, folder.path);
  const path = (name: string): string => join(folder.path, name);
  await rename(path('0002_second.sql'), path('0002_other.sql'));
  await writeFile(path('0002_other.sql'), 'select 1;');
  await assert.rejects(migrate(clone.database, folder.path), {
    code: 'migration_other',
    message: /\b0002_second\.sql\b.*\b0002_other\.sql\b/,
  });
  await rm(path('0002_other.sql'));
  await assert.rejects(migrate(clone.database, folder.path), {
    code: 'database_newer',
    message: /\b0002_second\.sql\b/,
  });
});

test('refuses a database of a version before 1.0, without a change', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using before = await folderOf({ '0001_core.sql': first });
  await migrate(clone.database, before.path);
  await using folder = await folderOf({ '0001_schema.sql': 'create table merchants (id integer);' });
  await assert.rejects(migrate(clone.database, folder.path), failedWith('database_before_10'));
  assert.deepEqual(await clone.database.query("select to_regclass('merchants') as there"), [{ there: null }]);
});

test('a function may call one whose file comes later', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using folder = await folderOf({
    'functions/a.sql': 'create or replace function a() returns integer language sql as $$ select b() $$;',
    'functions/b.sql': 'create or replace function b() returns integer language sql as $$ select 7 $$;',
  });
  await migrate(clone.database, folder.path);
  assert.deepEqual(await clone.database.query('select a()'), [{ a: 7 }]);
});

test('a migration that fails leaves no trace and names its file; corrected, it runs', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using folder = await folderOf({
    '0001_first.sql': first,
    '0002_second.sql': `${second} insert into absent values (1);`,
  });
  await assert.rejects(
    migrate(clone.database, folder.path),
    (error) =>
      sqlState(error) === '42P01' && error instanceof Error && error.message.startsWith('0002_second.sql: '),
  );
  await writeFile(join(folder.path, '0002_second.sql'), second);
  assert.deepEqual(await migrate(clone.database, folder.path), ['0002_second.sql']);
});

test('the migrations of this project run on an empty database, and once', async () => {
  await using clone = await createTestDatabase({ empty: true });
  const folder = join(import.meta.dirname, '..', '..', 'migrations');
  const numbered = (await readdir(folder)).filter((name) => /^[0-9]{4}_.*\.sql$/.test(name)).sort();
  const applied = await migrate(clone.database);
  // Among the numbered files, those without a transaction may come after the functions.
  assert.deepEqual(
    applied.filter((name) => !name.startsWith('functions/')),
    numbered,
  );
  assert.deepEqual(await migrate(clone.database), []);
});

test('a file without a transaction runs its statements one by one, once among many processes', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using folder = await folderOf({
    '0001_first.sql': first,
    '0002_index.sql':
      '-- no transaction\n-- It is read; by id.\ndrop index concurrently if exists notes_idx;\ncreate index concurrently notes_idx on notes (id);\n',
    '0003_third.sql': second,
  });
  const names = ['0001_first.sql', '0002_index.sql', '0003_third.sql'];
  const runs = await Promise.all(Array.from({ length: 4 }, () => migrate(clone.database, folder.path)));
  assert.deepEqual(runs.flat().sort(), names);
  const indexes = await clone.database.query(
    "select indisvalid from pg_index where indexrelid = 'notes_idx'::regclass",
  );
  assert.deepEqual(indexes, [{ indisvalid: true }]);
});

test('a file without a transaction that fails is not noted, and runs again from its start', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using folder = await folderOf({
    '0001_first.sql': first,
    '0002_more.sql':
      '-- no transaction\nalter table notes add column if not exists text text;\nselect 1 / (select count(*) - 1 from notes);\n',
  });
  await assert.rejects(migrate(clone.database, folder.path), /0002_more\.sql: division by zero/);
  await clone.database.query('insert into notes (id) values (2)');
  assert.deepEqual(await migrate(clone.database, folder.path), ['0002_more.sql']);
});

test('commits the last migrations and the functions together, so that new tables never meet old functions', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using folder = await folderOf({
    '0001_first.sql': first,
    '0002_index.sql': '-- no transaction\ncreate index concurrently if not exists notes_idx on notes (id);\n',
    '0003_third.sql': 'alter table notes rename column id to number;',
    '0004_fourth.sql': 'alter table notes add column more text;',
    'functions/a.sql': 'create or replace function answer() returns absent language sql as $$ select 1 $$;',
  });
  await assert.rejects(migrate(clone.database, folder.path), /functions|a\.sql: .*absent/);
  assert.deepEqual(await clone.database.query('select id from notes'), [{ id: 1 }]);
  await writeFile(join(folder.path, 'functions/a.sql'), functionText(1));
  assert.deepEqual(await migrate(clone.database, folder.path), [
    '0003_third.sql',
    '0004_fourth.sql',
    'functions/a.sql',
  ]);
});

test('a file without a transaction at the end runs after the functions', async () => {
  await using clone = await createTestDatabase({ empty: true });
  await using folder = await folderOf({
    '0001_first.sql': first,
    '0002_index.sql': '-- no transaction\ncreate index concurrently if not exists notes_idx on notes (id);\n',
    '0003_third.sql': 'alter table notes add column more text;',
    '0004_index.sql': '-- no transaction\nselect 1 / answer();\n',
    'functions/a.sql': functionText(0),
  });
  await assert.rejects(migrate(clone.database, folder.path), /0004_index\.sql: division by zero/);
  assert.deepEqual(await clone.database.query('select more from notes'), [{ more: null }]);
  await writeFile(join(folder.path, 'functions/a.sql'), functionText(1));
  const applied = await migrate(clone.database, folder.path);
  assert.deepEqual(applied, ['functions/a.sql', '0004_index.sql']);
});

for (const [how, mark] of [
  ['in a transaction', ''],
  ['without a transaction', '-- no transaction\n'],
] as const) {
  test(`waits briefly and repeatedly for a locked table, ${how}: others read it meanwhile`, async () => {
    await using clone = await createTestDatabase({ empty: true });
    await using folder = await folderOf({ '0001_first.sql': first });
    await migrate(clone.database, folder.path);
    await writeFile(
      join(folder.path, '0002_more.sql'),
      `${mark}alter table notes add column if not exists text text;\n`,
    );
    const migration = { run: Promise.resolve<unknown>(undefined), done: false };
    await clone.database.transaction(async (tx) => {
      await tx.query('select from notes');
      migration.run = migrate(clone.database, folder.path).finally(() => {
        migration.done = true;
      });
      const waiting = `
        select from pg_locks
        where database = (select oid from pg_database where datname = current_database())
        and relation = 'notes'::regclass
        and not granted`;
      await until('the migration waits', async () => (await tx.query(waiting)).length > 0);
      // It rolls back, and tries again.
      await clone.database.query('select from notes');
      await until('the migration waits again', async () => (await tx.query(waiting)).length > 0);
      assert.equal(migration.done, false);
    });
    assert.deepEqual(await migration.run, ['0002_more.sql']);
  });
}
