/** `migrations/schema.sql` and `objects.txt` are what the migrations make of an empty database. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { listSchemaObjects } from '../../src/db/schema-objects-store.ts';
import { describeSchema } from '../../src/db/schema-store.ts';
import { createTestDatabase } from '../support/database.ts';

const folder = join(import.meta.dirname, '..', '..', 'migrations');
const checkedIn = join(folder, 'schema.sql');

describe('the schema', () => {
  it('is the one that is checked in: after a migration, npm run schema', async () => {
    await using clone = await createTestDatabase();
    assert.equal(await describeSchema(clone.database), await readFile(checkedIn, 'utf8'));
    const objects = `${(await listSchemaObjects(clone.database)).join('\n')}\n`;
    assert.equal(objects, await readFile(join(folder, 'objects.txt'), 'utf8'));
  });

  it('has functions with bodies of text alone: others keep columns from being added', async () => {
    await using clone = await createTestDatabase();
    const trees = `
      select p.oid::regprocedure::text as name
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace
      and p.prosqlbody is not null`;
    assert.deepEqual(await clone.database.query(trees), []);
    await clone.database.query('create function odd(v vends) returns bigint language sql return v.charge');
    assert.deepEqual(await clone.database.query(trees), [{ name: 'odd(vends)' }]);
  });

  it('tells of every kind of change', async () => {
    await using clone = await createTestDatabase();
    const changes = [
      'alter table vends add column odd integer',
      'alter table vends alter column charge drop not null',
      'alter table vends add constraint odd_check check (charge >= 0)',
      'create index odd_index on vends (created_at)',
      'create function odd() returns integer language sql as $$ select 1 $$',
      'create function odd(n integer) returns integer language sql as $$ select n $$',
      'create type odd_type as (a integer)',
      'create table odd_table (a text collate "C" primary key)',
      'alter table vends set (fillfactor = 50)',
      'create sequence odd_sequence',
      "create type odd_enum as enum ('a')",
    ];
    let before = await describeSchema(clone.database);
    for (const change of changes) {
      await clone.database.query(change);
      const after = await describeSchema(clone.database);
      assert.notEqual(after, before, change);
      before = after;
    }
  });
});
