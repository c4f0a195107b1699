/**
 * Moves cells between servers while all gateways are stopped: statements at a worker take no lock
 * of Citus, so purchases during a move would be lost. A move whose process dies can be repeated.
 */
import type { Database } from '../../db/database.ts';
import { findPlacements, type Placement } from '../../db/find-cells.ts';
import { createCell, dropCell, hasCell, readCellState } from './cell-store.ts';
import { ClusterError } from './cluster-error.ts';
import { listNodes, lockOutGateways, moveShards, type Node } from './cluster-store.ts';
import { openWorker, requireDistributed } from './init-cluster.ts';

type Address = Pick<Node, 'host' | 'port'>;

export type Move = { readonly number: number; readonly from: Address; readonly to: Address };

/** Lists the moves after which no server has two cells more than another. */
export async function planMoves(coordinator: Database): Promise<readonly Move[]> {
  await requireDistributed(coordinator);
  const held = new Map(
    (await listNodes(coordinator))
      .filter(({ isCoordinator }) => !isCoordinator)
      .map((node) => [nameOf(node), { node, cells: [] as Placement[] }]),
  );
  for (const cell of await findPlacements(coordinator)) held.get(nameOf(cell))?.cells.push(cell);
  const moves: Move[] = [];
  for (;;) {
    const [least, ...others] = [...held.values()].sort((a, b) => a.cells.length - b.cells.length);
    const most = others.at(-1);
    if (least === undefined || most === undefined || most.cells.length - least.cells.length < 2) return moves;
    const cell = most.cells.pop();
    if (cell === undefined) return moves;
    least.cells.push(cell);
    moves.push({ number: cell.number, from: addressOf(most.node), to: addressOf(least.node) });
  }
}

/**
 * Throws ClusterError if gateways run, or the cell or the server does not exist. Returns once the
 * cell is at the server, with everything that it had.
 */
export async function moveCell(
  coordinator: Database,
  connectionString: string,
  number: number,
  to: Address,
): Promise<void> {
  await requireDistributed(coordinator);
  const nodes = (await listNodes(coordinator)).filter(({ isCoordinator }) => !isCoordinator);
  const target = nodes.find((node) => nameOf(node) === nameOf(to));
  const cell = (await findPlacements(coordinator)).find((one) => one.number === number);
  if (target === undefined || cell === undefined) {
    throw new ClusterError(
      'cluster_unknown',
      `there is no ${cell === undefined ? `cell ${number}` : `worker ${nameOf(to)}`}: see ./oja cluster status`,
    );
  }
  // The lock on their table keeps gateways from starting meanwhile.
  await coordinator.transaction(
    async (tx) => {
      const gateways = await lockOutGateways(tx);
      if (gateways > 0)
        throw new ClusterError('cluster_gateways', `stop all gateways first: ${gateways} run`);
      if (nameOf(cell) !== nameOf(target)) {
        await coordinator.session((sql) => moveShards(sql, cell, target));
      }
      await takeAlong(coordinator, connectionString, { ...cell, ...addressOf(target) }, nodes);
    },
    { patient: true },
  );
}

/** Creates the schema at the new server from that of the old one, and then drops the old one. */
async function takeAlong(
  coordinator: Database,
  connectionString: string,
  cell: Placement,
  nodes: readonly Node[],
): Promise<void> {
  await using target = openWorker(connectionString, cell);
  for (const node of nodes.filter((one) => nameOf(one) !== nameOf(cell))) {
    await using other = openWorker(connectionString, node);
    if (!(await hasCell(other, cell))) continue;
    if (!(await hasCell(target, cell))) {
      await createCell(coordinator, target, cell, await readCellState(other, cell));
    }
    await dropCell(other, cell);
  }
}

function addressOf({ host, port }: Address): Address {
  return { host, port };
}

function nameOf({ host, port }: Address): string {
  return `${host}:${port}`;
}
