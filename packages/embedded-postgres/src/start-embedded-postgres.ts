/**
 * A PostgreSQL inside the program: the bundled server, run on data under one folder.
 *
 * Guarantees: there is one server per data folder. It is reachable only through a unix socket in a
 * folder closed to others (loopback with a password on Windows). It never runs as root. It is
 * durable unless the options say otherwise. It is restarted when it dies, and always ends when the
 * program ends.
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { prepareCluster } from './cluster.ts';
import { checkDatabaseName, createDatabase, maintenanceDatabase } from './create-database.ts';
import { type DataLock, type LockOptions, lockDataDir } from './data-lock.ts';
import { withDeathSignal } from './death-signal.ts';
import { prepareEndpoint } from './endpoint.ts';
import { EmbeddedPostgresError } from './errors.ts';
import { findBinaries } from './find-binaries.ts';
import { type ServerLog, ServerProcess, serverLogPath } from './server-process.ts';
import { serverArguments } from './server-settings.ts';
import { chooseServerUser } from './server-user.ts';

type ServerSettings = Readonly<Record<string, string>>;

export type EmbeddedPostgresOptions = LockOptions & {
  /** Created if absent. The server's data is in its subfolder `postgres`, next to the lock. */
  readonly dataDir: string;
  /** Created if absent. 1 to 63 bytes, without `;/?:@&=+$,#`. Default `postgres`. */
  readonly databaseName?: string;
  /** Called when the server dies, restarts, or is slow to start. Default: no call. */
  readonly log?: ServerLog;
  /** False: data is not flushed to disk, so a power failure loses data. For tests. Default true. */
  readonly durable?: boolean;
  /**
   * Settings of PostgreSQL, by their names in its manual. They override those of the package. A
   * function is called once the folder is locked, so that it may read and write there.
   */
  readonly settings?: ServerSettings | (() => Promise<ServerSettings>);
  /** Called once the folder is locked, for work that can run while the server starts. */
  readonly onLocked?: () => void;
};

/**
 * A running server. Close the connections to it first, then stop it, or let `await using` do so.
 */
export type EmbeddedPostgres = AsyncDisposable & {
  /** Stays the same when the server is restarted. */
  readonly connectionString: string;
  /** The server's current process id. Undefined while it is down. */
  readonly pid: number | undefined;
  /** Settles when the server was stopped permanently. */
  readonly exited: Promise<void>;
  /**
   * Closes all connections, writes all data and releases the data folder. May be called repeatedly.
   */
  stop(): Promise<void>;
};

const silent: ServerLog = { info: () => undefined, warn: () => undefined };

/**
 * Resolves when the database accepts connections. Rejects with EmbeddedPostgresError if the folder
 * is in use or has another owner, or if the server does not start. The message gives the cause and
 * the next step.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (options.databaseName !== undefined) {
    checkDatabaseName(options.databaseName);
  }
  const dataDir = resolve(options.dataDir);
  await makeFolder(dataDir);
  const lock = await lockDataDir(dataDir, options);
  try {
    return await startLocked(dataDir, lock, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function makeFolder(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new EmbeddedPostgresError('data_dir_not_writable', `${dataDir} cannot be made: ${error.message}`, {
      cause: error,
    });
  });
}

async function startLocked(
  dataDir: string,
  lock: DataLock,
  {
    databaseName = maintenanceDatabase,
    log = silent,
    durable = true,
    settings = {},
    onLocked,
  }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  onLocked?.();
  const workDir = join(dataDir, 'postgres');
  const clusterDir = join(workDir, 'cluster');
  await mkdir(workDir, { recursive: true });
  const user = await chooseServerUser(clusterDir);
  const [binDir, endpoint] = await Promise.all([findBinaries(workDir, user), prepareEndpoint(workDir, user)]);
  const cluster = await prepareCluster(clusterDir, { binDir, user, endpoint, durable });
  const wished = typeof settings === 'function' ? await settings() : settings;
  const args = ['-D', cluster.nameForServer, ...serverArguments(durable, wished, endpoint.settings)];
  const command = await withDeathSignal({ program: join(binDir, 'postgres'), args }, user);
  const server = new ServerProcess({
    command,
    user,
    binDir,
    clusterDir,
    log,
    logPath: serverLogPath(clusterDir),
  });
  await server.start();
  const connectionString = endpoint.connectionString(databaseName);
  try {
    await createDatabase(endpoint, databaseName);
    await lock.publish(connectionString);
  } catch (error) {
    await server.stop();
    throw error;
  }
  let stopping: Promise<void> | undefined;
  const stop = async (): Promise<void> => {
    await server.stop();
    await endpoint.close();
    await lock.release();
  };
  return {
    connectionString,
    get pid() {
      return server.pid;
    },
    exited: server.exited,
    // Only once: a second stop must not remove the socket's folder of a server that was started on
    // the data meanwhile.
    stop: () => (stopping ??= stop()),
    [Symbol.asyncDispose]: () => (stopping ??= stop()),
  };
}
