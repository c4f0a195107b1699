/**
 * The connections of a process, in pools by purpose, so that one purpose never waits for another:
 * money moves while reports are read, and heartbeats continue while everything else waits.
 */

import { GatewayError } from '../core/errors.ts';
import { limits } from '../core/limits.ts';
import type { Logger } from '../core/log.ts';
import { lookUpPatienceMs } from '../db/answer-soon.ts';
import { type ConnectionShares, shareConnections } from '../db/connection-shares.ts';
import { type Database, openDatabase, type Sql } from '../db/database.ts';
import { startEmbeddedServer } from '../db/embedded-server.ts';
import { type Cell, locateCell } from '../db/find-cells.ts';
import { MovableDatabase } from '../db/movable-database.ts';
import type { Config } from './config.ts';

export type Databases = AsyncDisposable & {
  /** Purchases: their commits, claims and outcomes, and the authentication of buyers. */
  readonly money: Database;
  /** Background jobs, and everything except purchases and reports. */
  readonly work: Database;
  /** The heartbeat of the process, and only that. */
  readonly heartbeat: Sql;
  /** Lookups of merchants: lists, statements and states, shared fairly by merchant. */
  readonly readsOf: ConnectionShares<number>;
  /** `look` is awaited on each new connection of every pool from now on. */
  onConnect(look: (sql: Sql) => Promise<void>): void;
  /** Where the database is. */
  readonly connectionString: string;
  /** Opens the same pools for one of `cells` cells, with fewer connections. */
  openCell(cell: Cell, cells: number): Databases;
};

/** One for each pool. */
const FEWEST_CONNECTIONS = 4;
/** A statement that takes this long is stuck: all of ours take milliseconds. */
const STATEMENT_MS = 30_000;
/** A caller that waits longer for an answer has disconnected. */
const READ_MS = 5_000;
/** A later heartbeat is useless: the next one is due. */
const HEARTBEAT_MS = 2_000;
/** Background work that meets a lock can be repeated. Waiting would occupy a connection. */
const WORK_LOCK_MS = 5_000;
const READ_TURN_MS = 2_000;
/** A database counts as stalled if it has not answered a heartbeat for this long. */
const STALLED_MS = 1_900;

type Options = {
  readonly connectionString: string;
  /** The connections of all pools together, at least 4. */
  readonly connectionsMax: number;
  readonly applicationName: string;
  /** The schema of a cell. Absent: whole tables. */
  readonly schema?: string;
  /** Returns the present address of a cell that can move. */
  readonly locate?: (() => Promise<string>) | undefined;
  readonly onPoolError: (error: Error) => void;
};

export function openDatabases(options: Options): Databases {
  const sizes = splitConnections(options.connectionsMax);
  let onConnect: (sql: Sql) => Promise<void> = async () => undefined;
  const { locate } = options;
  const open = (
    purpose: keyof typeof sizes,
    terms: { readonly statementTimeoutMs: number; readonly lockTimeoutMs?: number },
  ): Database => {
    const openAt = (connectionString: string): Database =>
      openDatabase({
        ...options,
        ...terms,
        connectionString,
        onConnect: (sql) => onConnect(sql),
        watchSilence: true,
        connectionsMax: sizes[purpose],
        applicationName: `${options.applicationName} ${purpose}`,
      });
    return locate === undefined
      ? openAt(options.connectionString)
      : new MovableDatabase(options.connectionString, openAt, locate);
  };
  const money = open('money', { statementTimeoutMs: STATEMENT_MS, lockTimeoutMs: limits.lockWaitMs });
  const work = open('work', { statementTimeoutMs: STATEMENT_MS, lockTimeoutMs: WORK_LOCK_MS });
  const beats = open('heartbeat', { statementTimeoutMs: HEARTBEAT_MS });
  const { database: heartbeat, silentMs } = noteAnswers(beats);
  const reads = open('reads', { statementTimeoutMs: READ_MS });
  return {
    money,
    work,
    heartbeat,
    connectionString: options.connectionString,
    openCell: ({ number, schema, connectionString, isPlaced }, cells) =>
      openDatabases({
        ...options,
        connectionString,
        schema,
        locate: isPlaced ? () => locateCell(work, options.connectionString, number) : undefined,
        connectionsMax: connectionsOfCell(options.connectionsMax, cells),
        applicationName: `${options.applicationName} cell ${number}`,
      }),
    onConnect: (look) => {
      onConnect = look;
    },
    readsOf: shareConnections(reads, {
      each: Math.max(1, Math.floor(sizes.reads / 2)),
      waitMs: READ_TURN_MS,
      patienceMs: lookUpPatienceMs,
      refuse: () => new GatewayError({ code: silentMs() > STALLED_MS ? 'database_away' : 'look_ups_full' }),
    }),
    async [Symbol.asyncDispose]() {
      await Promise.all([money, work, beats, reads].map((pool) => pool[Symbol.asyncDispose]()));
    },
  };
}

/** The connections of all pools of one cell, if a process has `total` for whole tables. */
function connectionsOfCell(total: number, cells: number): number {
  return Math.max(FEWEST_CONNECTIONS, Math.floor(total / cells));
}

/** The most connections of a process to a server with that many cells. */
export function connectionsOfProcess(total: number, cells: number): number {
  // Each cell also has one that listens.
  return cells === 1 ? total : total + cells * (connectionsOfCell(total, cells) + 1);
}

/** One for the heartbeat, a third for reads, and most of the rest for money. */
export function splitConnections(total: number): Record<'money' | 'work' | 'heartbeat' | 'reads', number> {
  const reads = Math.max(1, Math.floor(total / 3));
  const rest = total - 1 - reads;
  const work = Math.max(1, Math.round(rest * 0.4));
  return { money: rest - work, work, heartbeat: 1, reads };
}

/** The same, and how long ago it last answered, in milliseconds; 0 until it has. */
function noteAnswers(database: Sql): { readonly database: Sql; readonly silentMs: () => number } {
  let answeredAtMs: number | undefined;
  return {
    database: {
      query: async (statement, values) => {
        const rows = await database.query(statement, values);
        answeredAtMs = performance.now();
        // The caller states the type of the rows.
        return rows as never;
      },
    },
    silentMs: () => (answeredAtMs === undefined ? 0 : performance.now() - answeredAtMs),
  };
}

/**
 * Starts Oja's own server unless the settings name another. `beside` is called once this process
 * may use the data folder, while the server starts.
 */
export async function startDatabases(
  config: Config,
  log: Logger,
  stack: AsyncDisposableStack,
  beside: () => void,
): Promise<Databases> {
  let connectionString = config.databaseUrl;
  if (connectionString === undefined) {
    const server = await startEmbeddedServer({
      dataDir: config.dataDir,
      log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
      onLocked: beside,
    });
    stack.defer(() => server.stop());
    connectionString = server.connectionString;
  } else {
    beside();
  }
  return stack.use(
    openDatabases({
      connectionString,
      connectionsMax: config.databaseConnections,
      applicationName: `oja-${config.role}`,
      onPoolError: (error) => log.warn({ err: error }, 'a database connection broke'),
    }),
  );
}
