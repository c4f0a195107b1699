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
import { faultOf, type ServerFacts } from '../../src/db/require-fit-server.ts';
import { runOja } from '../cli/harness.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { runGateway } from '../support/gateway.ts';
import { failedWith } from '../support/refusals.ts';

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
    assert.match(odd.join('\n'), /\bdrop function answer\(text\)/);
    assert.match(odd.join('\n'), /\banswer\(json\)/);
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
      code: 'database_not_whole',
      message: /\btable second_looks\b/,
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
  const cases: readonly (readonly [facts: Partial<ServerFacts>, code: string | undefined, names?: string])[] =
    [
      [{}, undefined],
      [{ version: 140_011 }, 'server_too_old'],
      [{ isStandby: true, isReadOnly: true }, 'server_standby'],
      [{ isReadOnly: true }, 'database_read_only'],
      [{ encoding: 'SQL_ASCII' }, 'encoding_other', 'SQL_ASCII'],
      [{ schema: null }, 'no_schema'],
      [{ tables: ['a', 'b'] }, 'database_of_others', 'a, b'],
      [{ tables: ['a', 'b', 'c', 'd'] }, 'database_of_others', 'a, b, c, …'],
      [
        { tables: ['schema_migrations'], bookkeeping: ['version', 'dirty'] },
        'database_of_others',
        'schema_migrations',
      ],
      [{ tables: ['vends'], bookkeeping: ['version', 'name', 'checksum', 'applied_at'] }, undefined],
    ];
  for (const [facts, code, names = ''] of cases) {
    it(`${JSON.stringify(facts)} ${code === undefined ? 'does' : `is ${code}`}`, () => {
      const fault = faultOf({ ...fit, ...facts });
      assert.equal(fault?.code, code);
      if (fault === undefined) return;
      assert.ok(fault.message.includes(names), fault.message);
      assert.doesNotMatch(fault.message, /\n/);
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
      await assert.rejects(migrate(ascii), failedWith('encoding_other'));
    } finally {
      await database.query(`drop database ${name} with (force)`);
    }
    await using readOnly = open(`${connectionString}&options=-c%20default_transaction_read_only=on`);
    await assert.rejects(migrate(readOnly), failedWith('database_read_only'));
    await database.query('create table invoices (id integer)');
    await assert.rejects(migrate(database), failedWith('database_of_others'));
    assert.equal((await database.query("select from pg_tables where schemaname = 'public'")).length, 1);
  });
});

describe('a start that the database does not allow', () => {
  const starts: readonly (readonly [string, string, RegExp])[] = [
    [
      'newer than the program',
      "insert into schema_migrations (version, name, checksum) select max(version) + 1, 'x_new.sql', '' from schema_migrations",
      /^oja cannot start \(database_newer\): .*\bx_new\.sql\b/,
    ],
    [
      'with a file that was edited',
      "update schema_migrations set checksum = 'other' where version = 3",
      /^oja cannot start \(migration_changed\): .*\b0003_late_goods\.sql\b/,
    ],
    [
      'half there',
      'delete from schema_migrations where version = 5',
      /^oja cannot start \(migration_other\): .*\b0006_funding\.sql\b.*\b0005_/,
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
    assert.deepEqual([older.code, older.out, older.refused], [1, '', 'database_older']);
    assert.match(older.err, /\b0031_.*\n$/);
    await clone.database.query("insert into schema_migrations values (31, 'x_new.sql', '')");
    assert.equal((await list()).refused, 'migration_other');
  });

  it('away: one line says so', { timeout: 60_000 }, async () => {
    await using gateway = runGateway({
      DATABASE_URL: 'postgres://oja@127.0.0.1:9/oja',
      OJA_DATA_DIR: tmpdir(),
    });
    assert.deepEqual(await gateway.exited, { code: 1, signal: null });
    assert.match(gateway.output(), /^oja cannot start \(database_away\): .*ECONNREFUSED/);
    assert.equal(gateway.output().trim().split('\n').length, 1, gateway.output());
  });
});

function open(connectionString: string): ReturnType<typeof openDatabase> {
  const options = { connectionsMax: 1, applicationName: 'oja test', onPoolError: () => undefined };
  return openDatabase({ connectionString, ...options });
}
