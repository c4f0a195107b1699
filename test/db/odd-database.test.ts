/**
 * What a start makes of a database that is not as this version leaves one: functions of releases
 * before go one release later, and where Oja cannot work it says why in a line.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { MigrationError } from '../../src/db/migration-error.ts';
import { faultOf, type ServerFacts } from '../../src/db/require-fit-server.ts';
import { runOja } from '../cli/harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runGateway } from '../support/gateway.ts';

const made = 'create table notes (id integer);\n';
const answer = (types: string): string =>
  `create or replace function answer(${types}) returns integer language sql as 'select 1';`;

/** A folder of migrations that also knows what it makes, and what releases had. */
async function folderOf(
  files: Readonly<Record<string, string>>,
): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'oja-migrations-'));
  for (const folder of ['functions', 'releases']) await mkdir(join(path, folder));
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

async function signatures({ database }: TestDatabase): Promise<string[]> {
  const rows = await database.query<{ name: string }>(
    "select oid::regprocedure::text as name from pg_proc where pronamespace = 'public'::regnamespace order by 1",
  );
  return rows.map(({ name }) => name);
}

describe('functions that the files no longer have', () => {
  it('stay for the release before, whose processes may still serve, and go with the next release', async () => {
    await using clone = await createTestDatabase({ empty: true });
    await using folder = await folderOf({
      '0001_first.sql': made,
      'functions/answer.sql': answer('integer'),
      'objects.txt': 'table notes\nfunction answer(integer)\n',
    });
    const write = (name: string, text: string): Promise<void> => writeFile(join(folder.path, name), text);
    await migrate(clone.database, folder.path);
    // The next release has another signature, and the one after that has released it.
    await write('releases/0.9.0.txt', 'table notes\nfunction answer(integer)\n');
    await write('functions/answer.sql', answer('text'));
    await write('objects.txt', 'table notes\nfunction answer(text)\n');
    assert.deepEqual(await migrate(clone.database, folder.path), { applied: ['functions/answer.sql'] });
    assert.deepEqual(await signatures(clone), ['answer(integer)', 'answer(text)']);
    await write('releases/0.10.0.txt', '# As it was.\ntable notes\nfunction answer(text)\n');
    assert.deepEqual(await migrate(clone.database, folder.path), { applied: ['dropped answer(integer)'] });
    assert.deepEqual(await signatures(clone), ['answer(text)']);
    assert.deepEqual(await migrate(clone.database, folder.path), { applied: [] });
  });

  it('stay where something needs them, and what nobody knows stays: both are told', async () => {
    await using clone = await createTestDatabase({ empty: true });
    await using folder = await folderOf({
      '0001_first.sql': made,
      'functions/answer.sql': answer('integer'),
      'objects.txt': 'table notes\nfunction answer(integer)\n',
      'releases/0.0.0.txt': 'function answer(json)\n',
      'releases/0.1.0.txt': 'function answer(integer)\n',
    });
    await clone.database.query(`
      ${answer('json')}
      ${answer('text')}
      create function stranger() returns integer language sql as 'select 1';
      create view needs as select answer('{}'::json)`);
    const { odd } = await migrate(clone.database, folder.path);
    assert.equal(odd?.length, 2);
    assert.match(
      odd.join('\n'),
      /answer\(text\) is not of this version of Oja.*drop function answer\(text\)/,
    );
    assert.match(
      odd.join('\n'),
      /answer\(json\) of an older release stays: something in the database needs it/,
    );
    assert.equal((await signatures(clone)).length, 4);
  });
});

describe('a database that lacks something', () => {
  it('gets a function again that was dropped, and is refused without a table', async () => {
    await using clone = await createTestDatabase();
    await clone.database.query('drop function accept_vends(accept_item[], bigint[], uuid)');
    assert.ok((await migrate(clone.database)).applied.includes('functions/accept_vends.sql'));
    assert.deepEqual(await migrate(clone.database), { applied: [] });
    // A bridge of an upgrade made it, for gateways of the release before: this one does without.
    await clone.database.query('drop function claim_late_goods(integer, bigint)');
    assert.deepEqual(await migrate(clone.database), { applied: [] });
    await clone.database.query('drop table second_looks');
    await assert.rejects(migrate(clone.database), {
      name: 'MigrationError',
      message: 'the database is not whole: it lacks the table second_looks; restore it from a backup that is',
    });
  });
});

describe('a server that does not do', () => {
  const fit: ServerFacts = {
    version: 150_004,
    encoding: 'UTF8',
    isStandby: false,
    isReadOnly: false,
    schema: 'public',
    tables: [],
    bookkeeping: [],
  };
  const cases: readonly (readonly [Partial<ServerFacts>, RegExp | undefined])[] = [
    [{}, undefined],
    [{ version: 140_011 }, /^PostgreSQL 14 is too old: Oja needs 15 or later; upgrade the server/],
    [{ isStandby: true, isReadOnly: true }, /is a standby.*name its primary in DATABASE_URL/],
    [{ isReadOnly: true }, /is read-only: set default_transaction_read_only to off/],
    [{ encoding: 'SQL_ASCII' }, /encoded in SQL_ASCII: create one with encoding 'UTF8'/],
    [{ schema: null }, /no schema to put tables in: create the schema public/],
    [{ tables: ['a', 'b'] }, /has tables \(a, b\) and is not Oja's/],
    [{ tables: ['a', 'b', 'c', 'd'] }, /has tables \(a, b, c, …\) and is not Oja's/],
    [
      { tables: ['schema_migrations'], bookkeeping: ['version', 'dirty'] },
      /schema_migrations is another program's/,
    ],
    [{ tables: ['vends'], bookkeeping: ['version', 'name', 'checksum', 'applied_at'] }, undefined],
  ];
  for (const [facts, expected] of cases) {
    it(`${JSON.stringify(facts)}: ${expected === undefined ? 'does' : expected.source}`, () => {
      const fault = faultOf({ ...fit, ...facts });
      if (expected === undefined) assert.equal(fault, undefined);
      else assert.match(fault ?? '', expected);
      assert.doesNotMatch(fault ?? '', /\n/);
    });
  }

  it('is recognized: another encoding, read-only, another program', async () => {
    await using clone = await createTestDatabase({ empty: true });
    const { database, connectionString } = clone;
    const name = `test_${randomUUID().replaceAll('-', '')}`;
    await database.query(
      `create database ${name} encoding 'SQL_ASCII' locale_provider libc locale 'C' template template0`,
    );
    try {
      await using ascii = open(connectionString.replace(/test_[0-9a-f]+/, name));
      await assert.rejects(migrate(ascii), /encoded in SQL_ASCII/);
    } finally {
      await database.query(`drop database ${name} with (force)`);
    }
    await using readOnly = open(`${connectionString}&options=-c%20default_transaction_read_only=on`);
    await assert.rejects(
      migrate(readOnly),
      (error) => error instanceof MigrationError && /read-only/.test(error.message),
    );
    await database.query('create table invoices (id integer)');
    await assert.rejects(migrate(database), /tables \(invoices\) and is not Oja's/);
    assert.equal((await database.query("select from pg_tables where schemaname = 'public'")).length, 1);
  });
});

describe('a start that the database does not allow', () => {
  const starts: readonly (readonly [string, string, RegExp])[] = [
    [
      'newer than the program',
      "insert into schema_migrations (version, name, checksum) select max(version) + 1, 'x_new.sql', '' from schema_migrations",
      /^oja cannot start: the database is newer than this version of Oja: it has migration x_new\.sql.*$/m,
    ],
    [
      'with a file that was edited',
      "update schema_migrations set checksum = 'other' where version = 3",
      /^oja cannot start: migration 0003_late_goods\.sql has changed since it was applied.*$/m,
    ],
    [
      'half there',
      'delete from schema_migrations where version = 5',
      /^oja cannot start: the database has migration 0006_funding\.sql where this version of Oja has 0005.*$/m,
    ],
  ];
  for (const [what, spoil, line] of starts) {
    it(`${what}: one line says so`, { timeout: 60_000 }, async () => {
      await using clone = await createTestDatabase();
      await clone.database.query(spoil);
      await using gateway = runGateway({ DATABASE_URL: clone.connectionString, OJA_DATA_DIR: tmpdir() });
      assert.deepEqual(await gateway.exited, { code: 1, signal: null });
      assert.match(gateway.output(), line);
      assert.equal(gateway.output().trim().split('\n').length, 1, gateway.output());
    });
  }

  it('of another version: commands say so too', async () => {
    await using clone = await createTestDatabase();
    const list = (): ReturnType<typeof runOja> =>
      runOja({ DATABASE_URL: clone.connectionString, OJA_DATA_DIR: tmpdir() }, ['merchant', 'list']);
    assert.equal((await list()).code, 0);
    await clone.database.query('delete from schema_migrations where version > 30');
    const older = await list();
    assert.deepEqual([older.code, older.out], [1, '']);
    assert.match(older.err, /^oja: the database is older than this version of Oja: it lacks 0031_.*\n$/);
    await clone.database.query("insert into schema_migrations values (31, 'x_new.sql', '')");
    assert.match((await list()).err, /^oja: the database has migration x_new\.sql where .*\n$/);
  });

  it('away: one line says so', { timeout: 60_000 }, async () => {
    await using gateway = runGateway({
      DATABASE_URL: 'postgres://oja@127.0.0.1:9/oja',
      OJA_DATA_DIR: tmpdir(),
    });
    assert.deepEqual(await gateway.exited, { code: 1, signal: null });
    assert.match(
      gateway.output(),
      /^oja cannot start: the database of DATABASE_URL does not answer: .*ECONNREFUSED/,
    );
    assert.equal(gateway.output().trim().split('\n').length, 1, gateway.output());
  });
});

function open(connectionString: string): ReturnType<typeof openDatabase> {
  const options = { connectionsMax: 1, applicationName: 'oja test', onPoolError: () => undefined };
  return openDatabase({ connectionString, ...options });
}
