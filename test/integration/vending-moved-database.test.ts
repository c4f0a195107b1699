/**
 * A copy takes the place of the database under a running gateway, as in an upgrade of the server: the same rows and functions, and other ids of
 * its types. PostgreSQL reads records of a type by their columns, whatever id it was sent with.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { openDatabase } from '../../src/db/database.ts';
import { noStopPoints } from '../../src/stop-points.ts';
import { VendCommits } from '../../src/vending/commit-vends.ts';
import { createTestDatabase } from '../support/database.ts';
import { until } from '../support/processes.ts';
import { answer, assertAudited, count, gatewayId, openTill, purchase } from './vending-scene.ts';

const migrations = join(import.meta.dirname, '..', '..', 'migrations');
const types = ['accept_item', 'resolve_item', 'transfer_item'];

const clone = await createTestDatabase();
const { database } = clone;
after(() => clone[Symbol.asyncDispose]());
const till = await openTill(database, 1_000_000n);

/** Their functions go with the types, and come back with them. */
async function makeTypesAnew(): Promise<void> {
  const names = await readdir(join(migrations, 'functions'));
  const files = ['0012_batch_items.sql', ...names.map((name) => join('functions', name))];
  const texts = await Promise.all(files.map((file) => readFile(join(migrations, file), 'utf8')));
  await database.transaction(async (tx) => {
    for (const type of types) await tx.query(`drop type ${type} cascade`);
    for (const text of texts) await tx.query(text);
  });
}

async function idsOfTypes(): Promise<unknown[]> {
  return await database.query('select oid from pg_type where typname = any($1::name[]) order by typname', [
    types,
  ]);
}

test('purchases and answers go on, each once', async () => {
  const name = 'oja moving';
  await using gateway = openDatabase({
    connectionString: clone.connectionString,
    connectionsMax: 1,
    applicationName: name,
    onPoolError: () => undefined,
  });
  const commits = await VendCommits.open(gateway, gatewayId, noStopPoints, () => undefined);
  const first = purchase(till, 100n);
  assert.equal((await commits.accept(first)).kind, 'accepted');
  const before = await idsOfTypes();
  await makeTypesAnew();
  assert.notDeepEqual(await idsOfTypes(), before);
  await database.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [
    name,
  ]);
  await until('it has a new connection', 10_000, () =>
    gateway.query('select 1').then(
      () => true,
      () => false,
    ),
  );
  const items = Array.from({ length: 20 }, () => purchase(till, 100n));
  const [resolved, ...accepted] = await Promise.all([
    commits.resolve(answer(till, first, 'success')),
    ...items.map((item) => commits.accept(item)),
  ]);
  assert.deepEqual(resolved, { kind: 'done', status: 'success' });
  assert.ok(accepted.every((verdict) => verdict.kind === 'accepted'));
  assert.equal(await count(database, 'vends'), 21);
  await assertAudited(database);
});
