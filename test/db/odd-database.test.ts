/** A database that Oja cannot work on is refused with a code. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { migrate } from '../../src/db/migrate.ts';
import { faultOf, type ServerFacts } from '../../src/db/require-fit-server.ts';
import { runOja } from '../cli/harness.ts';
import { createTestDatabase } from '../support/database.ts';
import { failedWith } from '../support/refusals.ts';

const folder = await mkdtemp(join(tmpdir(), 'oja-odd-'));
after(() => rm(folder, { recursive: true, force: true }));

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
      [{ tables: ['purchases'], bookkeeping: ['version', 'name', 'checksum', 'applied_at'] }, undefined],
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

  it('recognizes another encoding, a read-only server and another program', async () => {
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

describe('a command', () => {
  it('reports a database of another version', async () => {
    await using clone = await createTestDatabase();
    const list = (): ReturnType<typeof runOja> =>
      runOja({ DATABASE_URL: clone.connectionString, OJA_DATA_DIR: folder }, ['merchant', 'list']);
    assert.equal((await list()).code, 0);
    await clone.database.query('delete from schema_migrations where version > 1');
    const older = await list();
    assert.deepEqual([older.code, older.out, older.refused], [1, '', 'database_older']);
    assert.match(older.err, /\b0002_.*\n$/);
    await clone.database.query("insert into schema_migrations values (2, 'x_new.sql', '')");
    assert.equal((await list()).refused, 'migration_other');
  });
});

function open(connectionString: string): ReturnType<typeof openDatabase> {
  const options = { connectionsMax: 1, applicationName: 'oja test', onPoolError: () => undefined };
  return openDatabase({ connectionString, ...options });
}
