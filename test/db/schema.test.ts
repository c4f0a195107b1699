/** Rules for every function of the schema. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createTestDatabase } from '../support/database.ts';

describe('the schema', () => {
  it('the schema has only functions with bodies of text: others keep columns from being added', async () => {
    await using clone = await createTestDatabase();
    const trees = `
      select p.oid::regprocedure::text as name
      from pg_proc p
      where p.pronamespace = 'public'::regnamespace
      and p.prosqlbody is not null`;
    assert.deepEqual(await clone.database.query(trees), []);
    await clone.database.query(
      'create function odd(v purchases) returns bigint language sql return v.charge',
    );
    assert.deepEqual(await clone.database.query(trees), [{ name: 'odd(purchases)' }]);
  });
});
