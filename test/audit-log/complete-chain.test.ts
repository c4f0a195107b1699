/** Entries of a version without the chain get their links in the background. */
import assert from 'node:assert/strict';
import { after, it } from 'node:test';
import { linkOlder } from '../../src/audit-log/audit-chain-store.ts';
import { recordOperation } from '../../src/audit-log/audit-log-store.ts';
import { ChainCompletion } from '../../src/audit-log/complete-chain.ts';
import { verifyAuditLog } from '../../src/audit-log/verify-audit-log.ts';
import type { Queries } from '../../src/db/database.ts';
import { createTestDatabase } from '../support/database.ts';

const clone = await createTestDatabase();
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());

/** As the version before left them, with ids that are missing between. */
await database.transaction(async (tx) => {
  await tx.query('set local session_replication_role = replica');
  await tx.query(`
    insert into audit_log (id, actor, action, subject)
    overriding system value
    select n * 2, 'old', 'test.old', 'test:' || n
    from generate_series(1, 25) as n`);
  await tx.query("select setval(pg_get_serial_sequence('audit_log', 'id'), 60)");
  await tx.query(`insert into settings (name, value) values ('audit_chain_older', '["0", "50"]')`);
});

const act = () =>
  database.transaction((tx) => recordOperation(tx, { actor: 'ada', action: 'test.new', subject: '' }));

it('completes older entries while new ones come, goes on after a kill, and does none twice', async () => {
  await act();
  const begun = await verifyAuditLog(database);
  assert.deepEqual([begun.broken, begun.entries, begun.older], [undefined, 1n, 50n]);
  assert.equal(await database.transaction((tx) => linkOlder(tx, 10)), 'more');
  await act();
  // The slice of a process that is killed leaves nothing.
  const killed = new Error('killed');
  const dying = database.transaction(async (tx) => {
    assert.equal(await linkOlder(tx, 10), 'more');
    assert.equal(await database.transaction((other) => linkOlder(other, 10)), 'busy');
    throw killed;
  });
  await assert.rejects(dying, killed);
  const half = await verifyAuditLog(database);
  assert.deepEqual([half.broken, half.entries, half.older], [undefined, 12n, 30n]);
  const some = new ChainCompletion(4);
  await Promise.all([some.run(database), act(), new ChainCompletion(3).run(database)]);
  await some.run(database);
  assert.equal(some.isDone, true);
  const { broken, entries, older, head } = await verifyAuditLog(database);
  assert.deepEqual([broken, entries, older], [undefined, 28n, 0n]);
  await act();
  assert.equal((await verifyAuditLog(database)).entries, 29n);
  assert.ok(head !== undefined);
});

it('has nothing to do in a database that began with the chain', async () => {
  await using fresh = await createTestDatabase();
  const completion = new ChainCompletion();
  await completion.run(fresh.database);
  assert.equal(completion.isDone, true);
});

it('does not take an entry that is put between later for an older one', async () => {
  await database.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(`
      insert into audit_log (id, actor, action, subject)
      overriding system value
      values (33, 'eve', 'test.forged', '')`);
  });
  await new ChainCompletion().run(database);
  const found = await verifyAuditLog(database);
  assert.deepEqual(found.broken, { entryId: 33n, how: 'put_between' });
});

it('gives up nothing when the end of the chain is kept by somebody', async () => {
  let tries = 0;
  const busy: Queries = Object.create(database, {
    transaction: {
      value: () => {
        tries += 1;
        return Promise.reject(new Error('kept'));
      },
    },
  });
  const completion = new ChainCompletion();
  await assert.rejects(completion.run(busy), /kept/);
  assert.deepEqual([tries, completion.isDone], [1, false]);
});
