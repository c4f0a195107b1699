/** A start on an unusable database ends with one line that gives the reason. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { createTestDatabase } from '../support/database.ts';
import { runGateway } from '../support/gateway.ts';

const folder = await mkdtemp(join(tmpdir(), 'oja-odd-'));
after(() => rm(folder, { recursive: true, force: true }));

describe('a start that the database does not allow', () => {
  const starts: readonly (readonly [string, string, RegExp])[] = [
    [
      'newer than the program',
      "insert into schema_migrations (version, name, checksum) select max(version) + 1, 'x_new.sql', '' from schema_migrations",
      /^oja cannot start \(database_newer\): .*\bx_new\.sql\b/,
    ],
    [
      'with a file that was edited',
      "update schema_migrations set checksum = 'other' where version = 1",
      /^oja cannot start \(migration_changed\): .*\b0001_schema\.sql\b/,
    ],
    [
      'of a version before 1.0',
      "update schema_migrations set name = '0001_core.sql' where version = 1",
      /^oja cannot start \(database_before_10\): /,
    ],
    [
      'half there',
      'delete from schema_migrations where version = 1',
      /^oja cannot start \(migration_other\): .*\b0002_statistics\.sql\b.*\b0001_/,
    ],
  ];
  for (const [what, spoil, line] of starts) {
    it(`${what}: is reported in one line`, async () => {
      await using clone = await createTestDatabase();
      await clone.database.query(spoil);
      await using gateway = runGateway({ DATABASE_URL: clone.connectionString, OJA_DATA_DIR: folder });
      assert.deepEqual(await gateway.exited, { code: 1, signal: null });
      assert.match(gateway.output(), line);
      assert.equal(gateway.output().trim().split('\n').length, 1, gateway.output());
    });
  }

  it('away: one line reports it', async () => {
    await using gateway = runGateway({
      DATABASE_URL: 'postgres://oja@127.0.0.1:9/oja',
      OJA_DATA_DIR: folder,
    });
    assert.deepEqual(await gateway.exited, { code: 1, signal: null });
    assert.match(gateway.output(), /^oja cannot start \(database_away\): .*ECONNREFUSED/);
    assert.equal(gateway.output().trim().split('\n').length, 1, gateway.output());
  });
});
