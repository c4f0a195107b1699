/**
 * Moves cells between servers while gateways run. Gateways meet a refused statement, look up where
 * the cell is, and repeat it there (src/db/movable-database.ts).
 *
 * Guarantee: the catalogue names the new server only if this process commits that, after it has
 * kept all writes at the old one waiting since before the last change was copied. A command that
 * dies before leaves the cell where it was, and one that dies later is finished by repeating it.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cellSchema } from '../../db/cell-schemas.ts';
import type { Database, Tx } from '../../db/database.ts';
import { isLockTrouble, sqlState } from '../../db/database-errors.ts';
import { findPlacements, type Placement } from '../../db/find-cells.ts';
import { createCell, hasCell, prepareCell, readCellState } from './cell-store.ts';
import { ClusterError } from './cluster-error.ts';
import { listNodes, type Node } from './cluster-store.ts';
import { openServer, openWorker, requireDistributed } from './init-cluster.ts';
import {
  cancel,
  createNames,
  dropLeft,
  findShards,
  hasLeft,
  holdUp,
  isHeldUp,
  leaveNames,
  leftSchema,
  lockCell,
  moveShards,
  readNames,
  readPid,
  type Shards,
  takeBack,
  takeTurn,
} from './move-cell-store.ts';

/** How long writes of the cell may wait in all. */
const WAIT_MS = 3_000;
/** What remains of it for the schema at the new server, and for gateways to connect there. */
const REST_MS = 600;
/** Shorter than a commit waits for a lock (`limits.lockWaitMs`), so that the move gives way. */
const LOCK_MS = 300;
const LOCK_TRIES = 10;
const PAUSE_MS = 500;
const LOOK_MS = 100;

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
 * Returns once the cell is at the server, with everything that it had, and how long writes of its
 * merchants waited, in milliseconds. Reads and other cells do not wait. Throws ClusterError if the
 * cell or the server does not exist, another cell is moving, or writes would have waited too long.
 */
export async function moveCell(
  coordinator: Database,
  connectionString: string,
  number: number,
  to: Address,
): Promise<number> {
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
  // Its transactions: the turn, the copy, and what holds up its end.
  await using server = openServer(connectionString, 4);
  const move = { server, connectionString, cell, to: addressOf(target), nodes };
  return await server.transaction(
    async (turn) => {
      if (!(await takeTurn(turn))) throw new ClusterError('cluster_busy', 'another cell is moving now');
      const prepared = await prepareCell(server, cell);
      await clearLeft(move);
      const startedMs = nameOf(cell) === nameOf(target) ? undefined : await moveUnderTraffic(move);
      await takeAlong(move, prepared);
      return startedMs === undefined ? 0 : performance.now() - startedMs;
    },
    { patient: true },
  );
}

type Moving = {
  /** The coordinator. */
  readonly server: Database;
  readonly connectionString: string;
  readonly cell: Placement;
  readonly to: Address;
  /** All workers. */
  readonly nodes: readonly Node[];
};

/** Undoes what a command left that died before the catalogue changed. */
async function clearLeft({ connectionString, cell, nodes }: Moving): Promise<void> {
  const { number } = cell;
  await using own = openWorker(connectionString, cell);
  if (!(await hasCell(own, cell))) {
    if (await hasLeft(own, number)) await own.transaction((tx) => takeBack(tx, number), { patient: true });
    else return;
  }
  // The cell is complete here, so other servers keep nothing that is needed.
  for (const node of nodes) {
    await using worker = openWorker(connectionString, node);
    if (await hasLeft(worker, number))
      await worker.transaction((tx) => dropLeft(tx, number), { patient: true });
  }
}

/** Returns since when writes of the cell have been waiting, by `performance.now()`. */
async function moveUnderTraffic({ server, connectionString, cell, to, nodes }: Moving): Promise<number> {
  const { number } = cell;
  const shards = await findShards(server, number);
  await using source = openWorker(connectionString, cell);
  await using target = openWorker(connectionString, to);
  if ((await readNames(target, cellSchema(number))).length === 0) {
    const names = await readNames(source, cellSchema(number));
    await target.transaction((tx) => createNames(tx, number, names), { patient: true });
  }
  const stall = stallEnd(server, shards);
  let startedMs = 0;
  try {
    await stall.held;
    await server.transaction(
      async (tx) => {
        const pid = await readPid(tx);
        const copy = watched(moveShards(tx, shards, cell, to));
        await untilHeldUp(server, pid, copy);
        await withCellLocked(source, number, shards, async (locked) => {
          startedMs = performance.now();
          const late = setTimeout(() => void cancel(server, pid).catch(() => undefined), WAIT_MS - REST_MS);
          // Rejects if its connection broke: Citus may have gone on before the cell was locked.
          await stall.end();
          await copy.done.finally(() => clearTimeout(late));
          await leaveNames(locked, number);
        });
      },
      { patient: true },
    );
  } catch (error) {
    await stall.end().catch(() => undefined);
    const now = (await findPlacements(server)).find((one) => one.number === number);
    // The answer to the commit was lost.
    if (now !== undefined && nameOf(now) === nameOf(to)) return startedMs;
    await clearLeft({ server, connectionString, cell, to, nodes });
    if (sqlState(error) !== '57014' && !isLockTrouble(error)) throw error;
    throw new ClusterError(
      'cluster_busy',
      `cell ${number} was not moved, because its merchants would have waited for longer than ${WAIT_MS / 1_000} s: repeat the command`,
    );
  }
  return startedMs;
}

/** Keeps Citus from finishing the copy until `end`, which rejects if that was not certain. */
function stallEnd(
  server: Database,
  shards: Shards,
): { readonly held: Promise<void>; readonly end: () => Promise<void> } {
  const held = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const holding = server.transaction(
    async (tx) => {
      await holdUp(tx, shards);
      held.resolve();
      await ended.promise;
      await tx.query('select');
    },
    { patient: true },
  );
  holding.catch(held.reject);
  return {
    held: held.promise,
    end: async () => {
      ended.resolve();
      await holding;
    },
  };
}

type Watched = { readonly done: Promise<void>; isOver: boolean };

function watched(done: Promise<void>): Watched {
  const state = { done, isOver: false };
  const note = (): void => {
    state.isOver = true;
  };
  done.then(note, note);
  return state;
}

/** Returns once the copy waits for its end. Rejects with its failure. */
async function untilHeldUp(server: Database, pid: number, copy: Watched): Promise<void> {
  while (!(await isHeldUp(server, pid))) {
    if (copy.isOver) {
      await copy.done;
      throw new Error('Citus finished the move before the cell was locked: nothing was changed');
    }
    await sleep(LOOK_MS);
  }
}

/** Locks the cell between statements that keep it busy, and works. */
async function withCellLocked(
  source: Database,
  number: number,
  shards: Shards,
  work: (locked: Tx) => Promise<void>,
): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    let isLocked = false;
    try {
      await source.transaction(
        async (tx) => {
          await lockCell(tx, number, shards, LOCK_MS);
          isLocked = true;
          await work(tx);
        },
        { patient: true },
      );
      return;
    } catch (error) {
      if (isLocked || tries === LOCK_TRIES || !isLockTrouble(error)) throw error;
    }
    await sleep(PAUSE_MS);
  }
}

/** Creates the schema at the new server from what the old one kept, and then drops that. */
async function takeAlong(
  { connectionString, cell, to, nodes }: Moving,
  prepared: readonly string[],
): Promise<void> {
  const { number } = cell;
  await using target = openWorker(connectionString, to);
  // The old server first, because writes wait for it.
  for (const node of [cell, ...nodes.filter((one) => nameOf(one) !== nameOf(cell))]) {
    await using worker = openWorker(connectionString, node);
    if (!(await hasLeft(worker, number))) continue;
    if (!(await hasCell(target, cell))) {
      await createCell(target, cell, prepared, await readCellState(worker, leftSchema(number)));
    }
    await worker.transaction((tx) => dropLeft(tx, number), { patient: true });
  }
}

function addressOf({ host, port }: Address): Address {
  return { host, port };
}

function nameOf({ host, port }: Address): string {
  return `${host}:${port}`;
}
