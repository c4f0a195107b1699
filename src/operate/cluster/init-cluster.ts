/** Distributes an installation over the workers of its coordinator, and creates the cells there. */
import { cellSchema } from '../../db/cell-schemas.ts';
import { type Database, openDatabase, type Sql } from '../../db/database.ts';
import { atNode, findCells, findPlacements, type Placement } from '../../db/find-cells.ts';
import { countCells } from '../../db/partition-tables.ts';
import { createCell, hasCell, insertFirstRows, prepareCell } from './cell-store.ts';
import { ClusterError } from './cluster-error.ts';
import { countWorkers, hasEngine, listNodes, lockOutGateways, removeNode } from './cluster-store.ts';
import { type Distribution, distribute } from './distribute-store.ts';
import { hasSchema, leftSchema } from './move-cell-store.ts';

const CELLS_PER_WORKER = 2;

export async function isDistributed(coordinator: Sql): Promise<boolean> {
  return (await findPlacements(coordinator)).length > 0;
}

/** Throws ClusterError for an installation that is not distributed. */
export async function requireDistributed(coordinator: Sql): Promise<void> {
  if (await isDistributed(coordinator)) return;
  throw new ClusterError('cluster_absent', 'this installation is not distributed: see ./oja cluster init');
}

/** Throws ClusterError if the installation cannot be distributed now. Changes nothing. */
export async function requireDistributable(coordinator: Database): Promise<void> {
  if (((await countCells(coordinator)) ?? 1) > 1) {
    throw new ClusterError(
      'cluster_cells',
      'this database was created with OJA_CELLS: only an installation with one cell can be distributed',
    );
  }
  if (!(await hasEngine(coordinator))) {
    throw new ClusterError('cluster_absent', 'the database has no Citus: run "create extension citus" in it');
  }
  if ((await countWorkers(coordinator)) === 0) {
    throw new ClusterError('cluster_workers', 'Citus has no workers: add them with citus_add_node');
  }
}

/**
 * Creates `cells` cells from the tables of the coordinator, by default two for each worker. If its
 * process dies, repeat it: the tables are distributed completely or not at all, and existing cells
 * are left alone. Returns undefined if only cells were missing. Throws ClusterError like
 * `requireDistributable`, if gateways run, and if everything is there.
 */
export async function initCluster(
  coordinator: Database,
  connectionString: string,
  cells?: number,
): Promise<Distribution | undefined> {
  await requireDistributable(coordinator);
  const count = cells ?? CELLS_PER_WORKER * (await countWorkers(coordinator));
  const distribution = (await isDistributed(coordinator))
    ? undefined
    : await coordinator.transaction(
        async (tx) => {
          const gateways = await lockOutGateways(tx);
          if (gateways > 0) {
            throw new ClusterError('cluster_gateways', `stop all gateways first: ${gateways} run`);
          }
          return await distribute(tx, count);
        },
        { patient: true },
      );
  let created = 0;
  for (const cell of await findPlacements(coordinator)) {
    await using worker = openWorker(connectionString, cell);
    if (await hasCell(worker, cell)) continue;
    // Its rows and its last position are there.
    if (await isLeft(coordinator, connectionString, cell.number)) {
      throw new ClusterError(
        'cluster_busy',
        `a move or an upgrade of cell ${cell.number} was interrupted: repeat its command`,
      );
    }
    const schema = cellSchema(cell.number);
    const prepared = await prepareCell(coordinator, cell, schema);
    await worker.transaction(
      async (tx) => {
        await createCell(tx, schema, prepared);
        await insertFirstRows(tx);
      },
      { patient: true },
    );
    created += 1;
  }
  if (distribution === undefined && created === 0) {
    throw new ClusterError('cluster_distributed', 'this installation is distributed already');
  }
  return distribution;
}

/** Whether a server has what a cell left during a move or an upgrade. */
async function isLeft(coordinator: Sql, connectionString: string, number: number): Promise<boolean> {
  for (const node of await listNodes(coordinator)) {
    await using worker = openWorker(connectionString, node);
    if (await hasSchema(worker, leftSchema(number))) return true;
  }
  return false;
}

/** Removes a worker. Throws ClusterError if it has cells, or what one left during a move. */
export async function removeWorker(
  coordinator: Database,
  connectionString: string,
  node: Pick<Placement, 'host' | 'port'>,
): Promise<void> {
  const cells = await findPlacements(coordinator);
  if (cells.some(({ host, port }) => host === node.host && port === node.port)) {
    throw new ClusterError('cluster_cells', `${node.host}:${node.port} has cells: move them first`);
  }
  await using worker = openWorker(connectionString, node);
  for (const { number } of cells) {
    if (!(await hasSchema(worker, leftSchema(number)))) continue;
    throw new ClusterError('cluster_busy', `the move of cell ${number} has not ended: repeat it first`);
  }
  await coordinator.session((sql) => removeNode(sql, node));
}

/** Opens a connection to each cell, by their numbers. */
export async function openCells(
  coordinator: Sql,
  connectionString: string,
): Promise<AsyncDisposable & { readonly all: readonly Database[] }> {
  const stack = new AsyncDisposableStack();
  const cells = await findCells(coordinator, connectionString);
  const all = cells.map((cell) =>
    stack.use(
      openDatabase({
        connectionString: cell.connectionString,
        schema: cell.schema,
        connectionsMax: 1,
        applicationName: 'oja cluster',
        onPoolError: () => undefined,
      }),
    ),
  );
  return { all, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** Opens one connection to a node, with the user and the database of the coordinator's address. */
export function openWorker(connectionString: string, node: Pick<Placement, 'host' | 'port'>): Database {
  return openServer(atNode(connectionString, node), 1);
}

/**
 * Opens connections for commands. Their server notices within seconds that a command or its machine
 * died, because other commands and the merchants of a cell wait for its locks.
 */
export function openServer(connectionString: string, connectionsMax: number): Database {
  return openDatabase({
    connectionString,
    connectionsMax,
    applicationName: 'oja cluster',
    onConnect: async (sql) => {
      await sql.query(`
        set client_connection_check_interval = '1s';
        set tcp_keepalives_idle = 5;
        set tcp_keepalives_interval = 2;
        set tcp_keepalives_count = 3;
        set tcp_user_timeout = '10s'`);
    },
    onPoolError: () => undefined,
  });
}
