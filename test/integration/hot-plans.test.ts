/**
 * Which indexes accept and resolve look their rows up by, when their plans are made in a new database: a plan is kept, and one by the wrong index
 * would read all the purchases of a merchant for each new one.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import type { Database, Tx } from '../../src/db/database.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const acceptLookup = `
  select v.id, o.status
  from json_to_recordset($1) as i(merchant_id integer, environment text, reference text)
  left join vends v
    on v.merchant_id = i.merchant_id
    and v.environment = i.environment
    and v.reference = i.reference
  left join vend_outcomes o
    on o.merchant_id = v.merchant_id
    and o.vend_id = v.id`;

const resolveLookup = `
  select p.attempts, o.status
  from json_to_recordset($1) as i(merchant_id integer, vend_id uuid)
  left join pending_vends p
    on p.merchant_id = i.merchant_id
    and p.vend_id = i.vend_id
  left join vend_outcomes o
    on o.merchant_id = i.merchant_id
    and o.vend_id = i.vend_id`;

/** The indexes of the plan that a function keeps, under the settings of the two functions. */
async function indexesOf(database: Database, lookup: string): Promise<string[]> {
  return await database.transaction(async (tx: Tx) => {
    for (const setting of ['enable_seqscan', 'enable_hashjoin', 'enable_mergejoin']) {
      await tx.query(`set local ${setting} = off`);
    }
    await tx.query('set local plan_cache_mode = force_generic_plan');
    await tx.query(`prepare lookup (json) as ${lookup}`);
    const rows = await tx.query<{ 'QUERY PLAN': unknown }>(`explain (format json) execute lookup ('[]')`);
    await tx.query('deallocate lookup');
    const names = JSON.stringify(rows).matchAll(/"Index Name":\s*\\?"(\w+)/g);
    return [...names].map((match) => match[1] ?? '').sort();
  });
}

describe('the plans of accept and resolve', () => {
  let test: TestDatabase;
  before(async () => {
    test = await createTestDatabase();
  });
  after(async () => {
    await test[Symbol.asyncDispose]();
  });

  it('go by the unique keys in a new database', async () => {
    assert.deepEqual(await indexesOf(test.database, acceptLookup), [
      'vend_outcomes_pkey',
      'vends_reference_key',
    ]);
    assert.deepEqual(await indexesOf(test.database, resolveLookup), [
      'pending_vends_pkey',
      'vend_outcomes_pkey',
    ]);
  });
});
