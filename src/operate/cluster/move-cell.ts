/**
 * Moves cells between servers while gateways run. Gateways meet a refused statement, look up where
 * the cell is, and repeat it there (src/db/movable-database.ts).
 *
 * Guarantee: the catalogue names the new server only if this process commits that, after it has
 * kept all writes at the old one waiting since before the last change was copied. A command that
 * dies before leaves the cell where it was. Gateways finish one that dies later (`finishMove`).
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { cellSchema } from '../../db/cell-schemas.ts';
import type { Database, Sql, Tx } from '../../db/database.ts';
import { isLockTrouble, sqlState } from '../../db/database-errors.ts';
import { findPlacements, type Placement } from '../../db/find-cells.ts';
import {
  continueIdentities,
  createCell,
  hasCell,
  insertState,
  prepareCell,
  readCellState,
} from './cell-store.ts';
import { ClusterError } from './cluster-error.ts';
import { listNodes, type Node } from './cluster-store.ts';
import { openServer, openWorker, requireDistributed } from './init-cluster.ts';
import {
  awaitEnd,
  cancel,
  cleanUp,
  createNames,
  dropSchema,
  findShards,
  hasSchema,
  holdUp,
  isHeldUp,
  isWhole,
  leaveNames,
  leftSchema,
  lockCell,
  moveShards,
  nextSchema,
  putInPlace,
  readNames,
  readPid,
  type Shards,
  takeBack,
  takeTurn,
} from './move-cell-store.ts';

/** How long writes of the cell may wait for the last changes to be copied. */
const COPY_MS = 2_000;
/** Shorter than a commit waits for a lock (`limits.lockWaitMs`), so that the move gives way. */
const LOCK_MS = 300;
const LOCK_TRIES = 10;
const PAUSE_MS = 500;
const LOOK_MS = 100;

const patiently = { patient: true };

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
  const cell = await findPlacement(coordinator, number);
  if (target === undefined || cell === undefined) {
    throw new ClusterError(
      'cluster_unknown',
      `there is no ${cell === undefined ? `cell ${number}` : `worker ${nameOf(to)}`}: see ./oja cluster status`,
    );
  }
  // Its transactions: the turn, the copy, and what holds up its end.
  await using server = openServer(connectionString, 4);
  return await server.transaction(
    async (turn) => {
      if (!(await takeTurn(turn))) throw new ClusterError('cluster_busy', 'another cell is moving now');
      const cell = await findSettled(server, number);
      const move = { server, connectionString, cell, to: addressOf(target), nodes };
      await clearLeft(move);
      const isClean = await cleanUpPatiently(server);
      const isThere = nameOf(cell) === nameOf(target);
      if (!isThere && !isClean) {
        throw new ClusterError(
          'cluster_busy',
          'parts of an earlier move are still in use: repeat the command',
        );
      }
      const waitedMs = isThere ? 0 : await moveUnderTraffic(move);
      await finish(move);
      return waitedMs;
    },
    { patient: true },
  );
}

/**
 * Finishes or undoes a move whose command died, if there is one. Throws ClusterError `cluster_busy`
 * while a command runs.
 */
export async function finishMove(
  coordinator: Database,
  connectionString: string,
  number: number,
): Promise<void> {
  const cell = await findPlacement(coordinator, number);
  if (cell !== undefined) await moveCell(coordinator, connectionString, number, cell);
}

/** Returns false if what an earlier move left is still in use. */
async function cleanUpPatiently(server: Database): Promise<boolean> {
  for (let tries = 0; tries < LOCK_TRIES; tries += 1) {
    if (await cleanUp(server)) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

async function findPlacement(coordinator: Sql, number: number): Promise<Placement | undefined> {
  return (await findPlacements(coordinator)).find((one) => one.number === number);
}

/** Returns where the cell is, once no earlier move of it can commit any more. */
async function findSettled(server: Database, number: number): Promise<Placement> {
  const shards = await findShards(server, number);
  await server.transaction((tx) => awaitEnd(tx, shards), patiently);
  const cell = await findPlacement(server, number);
  if (cell === undefined) throw new Error(`there is no cell ${number}`);
  return cell;
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
    if (!(await hasSchema(own, leftSchema(number)))) return;
    if (!(await isWhole(own, number))) throw upgradeFirst();
    await own.transaction((tx) => takeBack(tx, number), patiently);
  }
  // The cell is complete here, so other servers keep nothing that is needed.
  for (const node of nodes) {
    await using worker = openWorker(connectionString, node);
    await worker.transaction((tx) => dropSchema(tx, leftSchema(number)), patiently);
  }
}

/** Returns how long writes of the cell waited, in milliseconds. */
async function moveUnderTraffic(move: Moving): Promise<number> {
  const { server, connectionString, cell, to } = move;
  const { number } = cell;
  const shards = await findShards(server, number);
  await using source = openWorker(connectionString, cell);
  await using target = openWorker(connectionString, to);
  const names = await readNames(source, cellSchema(number));
  if (!(await hasSchema(target, cellSchema(number)))) {
    await target.transaction((tx) => createNames(tx, number, names), patiently);
  }
  const prepared = await prepareCell(server, cell, nextSchema(number));
  const stall = stallEnd(server, shards);
  let startedMs = 0;
  let last: readonly string[] = [];
  try {
    await stall.held;
    await server.transaction(async (tx) => {
      const pid = await readPid(tx);
      const copy = watched(moveShards(tx, shards, cell, to));
      await untilHeldUp(server, pid, copy);
      await target.transaction((there) => createCell(there, nextSchema(number), prepared), patiently);
      last = await continueIdentities(target, nextSchema(number));
      await withCellLocked(source, number, shards, async (locked) => {
        startedMs = performance.now();
        const late = setTimeout(() => void cancel(server, pid).catch(() => undefined), COPY_MS);
        // Rejects if its connection broke: Citus may have gone on before the cell was locked.
        await stall.end();
        await copy.done.finally(() => clearTimeout(late));
        if (performance.now() - startedMs > COPY_MS) throw tooLong(number);
        await leaveNames(locked, number, names);
      });
    }, patiently);
  } catch (error) {
    await stall.end().catch(() => undefined);
    // The answer to the commit was lost.
    if (nameOf(await findSettled(server, number)) === nameOf(to)) return performance.now() - startedMs;
    await clearLeft(move);
    throw sqlState(error) === '57014' || isLockTrouble(error) ? tooLong(number) : error;
  }
  const state = await readCellState(source, leftSchema(number));
  await target.transaction(async (tx) => {
    await insertState(tx, nextSchema(number), state);
    await putInPlace(tx, number, last);
  }, patiently);
  return performance.now() - startedMs;
}

/** Creates the schema at the new server if that is missing, and drops what the old one kept. */
async function finish({ server, connectionString, cell, to, nodes }: Moving): Promise<void> {
  const { number } = cell;
  await using target = openWorker(connectionString, to);
  for (const node of nodes) {
    await using worker = openWorker(connectionString, node);
    if (!(await hasSchema(worker, leftSchema(number)))) continue;
    if (!(await hasCell(target, cell))) {
      const state = await readCellState(worker, leftSchema(number));
      const prepared = await prepareCell(server, cell, nextSchema(number));
      await target.transaction(async (tx) => {
        await createCell(tx, nextSchema(number), prepared);
        await insertState(tx, nextSchema(number), state);
        await putInPlace(tx, number, await continueIdentities(tx, nextSchema(number)));
      }, patiently);
    }
    await worker.transaction((tx) => dropSchema(tx, leftSchema(number)), patiently);
  }
}

function upgradeFirst(): ClusterError {
  return new ClusterError('cluster_upgrade', 'an upgrade was interrupted: run ./oja cluster upgrade first');
}

function tooLong(number: number): ClusterError {
  return new ClusterError(
    'cluster_busy',
    `cell ${number} was not moved, because its merchants would have waited too long. They buy as before: repeat the command`,
  );
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

function addressOf({ host, port }: Address): Address {
  return { host, port };
}

function nameOf({ host, port }: Address): string {
  return `${host}:${port}`;
}
