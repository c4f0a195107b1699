/**
 * Brings the database of a distributed installation to the version of this code, while all gateways
 * are stopped.
 *
 * First each cell leaves its schema: its views are dropped, and its own rows and its last position
 * are kept. Then the migrations run at the coordinator, and Citus repeats them at the workers. Then
 * each cell gets a new schema with what it kept. A command that dies is repeated: until then
 * statements of cells without a schema are refused, and no row of a cell is changed.
 */

import { cellSchema } from '../../db/cell-schemas.ts';
import type { Database } from '../../db/database.ts';
import { findPlacements, type Placement } from '../../db/find-cells.ts';
import { findNewFiles, migrateDistributed } from '../../db/migrate.ts';
import { continueIdentities, createCell, hasCell, prepareCell } from './cell-store.ts';
import { ClusterError } from './cluster-error.ts';
import { lockOutGateways } from './cluster-store.ts';
import { migrationTerms } from './distribute-store.ts';
import { openServer, openWorker, requireDistributed } from './init-cluster.ts';
import {
  copyLeft,
  dropSchema,
  dropViews,
  findShards,
  hasSchema,
  isWhole,
  leaveNames,
  leftSchema,
  lockCell,
  nextSchema,
  putInPlace,
  readNames,
  takeTurn,
} from './move-cell-store.ts';

/** Longer than Citus needs to end a transaction whose coordinator died. */
const LOCK_MS = 120_000;

const patiently = { patient: true };

/**
 * Returns the names of the files that ran. Throws ClusterError if the installation is not
 * distributed, gateways run, or a cell is moving or was left by a move; MigrationError like
 * `migrate`; PostgreSQL's error if a server does not answer, before anything is changed.
 */
export async function upgradeCluster(connectionString: string, folder?: string): Promise<readonly string[]> {
  // The turn, and the migrations.
  await using coordinator = openServer(connectionString, 3);
  await requireDistributed(coordinator);
  return await coordinator.transaction(async (turn) => {
    if (!(await takeTurn(turn))) throw new ClusterError('cluster_busy', 'a cell is moving now');
    const cells = await findPlacements(coordinator);
    const left: Placement[] = [];
    for (const cell of cells) if (await hasLeft(connectionString, cell)) left.push(cell);
    const isNew = (await findNewFiles(coordinator, folder)).length > 0;
    if (!isNew && left.length === 0) return [];
    const gateways = await coordinator.transaction(lockOutGateways);
    if (gateways > 0) {
      throw new ClusterError('cluster_gateways', `stop all gateways first: ${gateways} run`);
    }
    for (const cell of isNew ? cells : []) await leave(coordinator, connectionString, cell);
    const applied = await migrateDistributed(coordinator, migrationTerms, folder);
    for (const cell of cells) await rebuild(coordinator, connectionString, cell);
    return applied;
  }, patiently);
}

/** Whether an upgrade was interrupted here. Throws ClusterError if a move was. */
async function hasLeft(connectionString: string, cell: Placement): Promise<boolean> {
  await using worker = openWorker(connectionString, cell);
  if (await hasCell(worker, cell)) return false;
  if ((await hasSchema(worker, leftSchema(cell.number))) && !(await isWhole(worker, cell.number)))
    return true;
  throw new ClusterError(
    'cluster_busy',
    `a move of cell ${cell.number} was interrupted: repeat it with the earlier version of Oja`,
  );
}

async function leave(coordinator: Database, connectionString: string, cell: Placement): Promise<void> {
  const { number } = cell;
  await using worker = openWorker(connectionString, cell);
  if (!(await hasCell(worker, cell))) return;
  const names = await readNames(worker, cellSchema(number));
  const shards = await findShards(coordinator, number);
  await worker.transaction(async (tx) => {
    // A transaction that a dead coordinator has prepared may still hold rows of the cell.
    await lockCell(tx, number, shards, LOCK_MS);
    await dropSchema(tx, leftSchema(number));
    await leaveNames(tx, number, names);
    await dropViews(tx, number);
  }, patiently);
}

async function rebuild(coordinator: Database, connectionString: string, cell: Placement): Promise<void> {
  const { number } = cell;
  await using worker = openWorker(connectionString, cell);
  if (await hasCell(worker, cell)) return;
  const prepared = await prepareCell(coordinator, cell, nextSchema(number));
  await worker.transaction(async (tx) => {
    await createCell(tx, nextSchema(number), prepared);
    await copyLeft(tx, number);
    await putInPlace(tx, number, await continueIdentities(tx, nextSchema(number)));
    await dropSchema(tx, leftSchema(number));
  }, patiently);
}
