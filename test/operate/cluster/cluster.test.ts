/**
 * An installation on plain PostgreSQL is never distributed. The harness lab/cluster distributes one
 * on Citus.
 */
import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import { migrate } from '../../../src/db/migrate.ts';
import { ClusterError } from '../../../src/operate/cluster/cluster-error.ts';
import { readStatus } from '../../../src/operate/cluster/cluster-status.ts';
import { statementsOf } from '../../../src/operate/cluster/distribute-store.ts';
import { initCluster, isDistributed } from '../../../src/operate/cluster/init-cluster.ts';
import { moveCell, planMoves } from '../../../src/operate/cluster/move-cell.ts';
import { upgradeCluster } from '../../../src/operate/cluster/upgrade-cluster.ts';
import { createTestDatabase } from '../../support/database.ts';

const clone = await createTestDatabase();
after(() => clone[Symbol.asyncDispose]());
const { database, connectionString } = clone;

const withCode =
  (code: string) =>
  (error: unknown): boolean =>
    error instanceof ClusterError && error.code === code;

describe('a cluster', () => {
  it('is not created without Citus, and nothing is changed', async () => {
    await assert.rejects(initCluster(database, connectionString), withCode('cluster_absent'));
    assert.equal(await isDistributed(database), false);
    const functions = await database.query("select from pg_proc where proname = 'take_rows'");
    assert.deepEqual(functions, []);
  });

  it('is not created from an installation with cells in one server', async () => {
    await using other = await createTestDatabase({ empty: true });
    await migrate(other.database, undefined, 2);
    await assert.rejects(initCluster(other.database, other.connectionString), withCode('cluster_cells'));
  });

  it('has no status, no cells to move and no plan before that', async () => {
    await assert.rejects(readStatus(database, connectionString), withCode('cluster_absent'));
    const to = { host: '127.0.0.1', port: 5432 };
    await assert.rejects(moveCell(database, connectionString, 0, to), withCode('cluster_absent'));
    await assert.rejects(planMoves(database), withCode('cluster_absent'));
  });

  it('is not upgraded before that', async () => {
    await assert.rejects(upgradeCluster(connectionString), withCode('cluster_absent'));
  });
});

it('a migration runs statement by statement, whatever comments, texts and bodies contain', () => {
  const statements = [
    "-- It's one; not two.\nalter table a add column b text default 'it''s; one'",
    '-- In cells.\ncreate table a (\n  b int -- c;\n)',
    'create function f() returns void language plpgsql as $$ begin perform 1; end $$',
    "do $x$ begin raise notice '$$;'; end $x$",
    'drop table c',
  ];
  const found = statementsOf(`${statements.join(';\n')};\n`).map((one) => one.trim());
  assert.deepEqual(
    found.filter((one) => one !== ''),
    statements,
  );
});
