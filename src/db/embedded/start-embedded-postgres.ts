/**
 * Oja's own PostgreSQL: the bundled programs, run on data under one folder.
 *
 * Guarantees: one running Oja for each data folder; the server is reached by a unix socket only, in a folder closed to
 * others (loopback on Windows); it never runs as root; it is durable unless told otherwise; it comes back when it
 * dies and goes when Oja goes, however that happens.
 */
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { openDatabase } from '../database.ts';
import { prepareCluster } from './cluster.ts';
import { type DataLock, lockDataDir } from './data-lock.ts';
import { withDeathSignal } from './death-signal.ts';
import { type Endpoint, prepareEndpoint } from './endpoint.ts';
import { findBinaries } from './find-binaries.ts';
import { type ServerLog, ServerProcess, serverLogPath } from './server-process.ts';
import { serverArguments } from './server-settings.ts';
import { chooseServerUser } from './server-user.ts';

export type EmbeddedPostgresOptions = {
  /** Made if absent. The server keeps to the folder `postgres` in it. */
  readonly dataDir: string;
  readonly log?: ServerLog;
  /** False: nothing is flushed to the disk, so a power cut loses data. For tests. */
  readonly durable?: boolean;
  /** Settings of PostgreSQL that take the place of Oja's. */
  readonly settings?: Readonly<Record<string, string>>;
  /** True: for a command that is soon done. A gateway that starts meanwhile waits for it. */
  readonly brief?: boolean;
};

export type EmbeddedPostgres = {
  /** Stays the same when the server has to be started again. */
  readonly connectionString: string;
  /** The server's process id at present; undefined while it is down. */
  readonly pid: number | undefined;
  /** Settles when `stop` is done. */
  readonly exited: Promise<void>;
  stop(): Promise<void>;
};

const databaseName = 'oja';
const silent: ServerLog = { info: () => undefined, warn: () => undefined };

/**
 * Resolves when the database `oja` accepts connections. Rejects when the folder is in use by a running Oja, is not
 * ours to use, or the server will not start; the message says which and what to do.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const dataDir = resolve(options.dataDir);
  await mkdir(dataDir, { recursive: true });
  const lock = await lockDataDir(dataDir, { brief: options.brief ?? false });
  try {
    return await startLocked(dataDir, lock, options);
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function startLocked(
  dataDir: string,
  lock: DataLock,
  { log = silent, durable = true, settings = {} }: EmbeddedPostgresOptions,
): Promise<EmbeddedPostgres> {
  const workDir = join(dataDir, 'postgres');
  const clusterDir = join(workDir, 'cluster');
  await mkdir(workDir, { recursive: true });
  const user = await chooseServerUser(clusterDir);
  const [binDir, endpoint] = await Promise.all([findBinaries(workDir, user), prepareEndpoint(workDir, user)]);
  const cluster = await prepareCluster(clusterDir, { binDir, user, endpoint, durable });
  const args = ['-D', cluster.nameForServer, ...serverArguments(durable, settings, endpoint.settings)];
  const command = await withDeathSignal({ program: join(binDir, 'postgres'), args }, user);
  const server = new ServerProcess({
    ...{ command, user, binDir, clusterDir, log },
    logPath: serverLogPath(clusterDir),
  });
  await server.start();
  const connectionString = endpoint.connectionString(databaseName);
  try {
    await createDatabase(endpoint);
    await lock.publish(connectionString);
  } catch (error) {
    await server.stop();
    throw error;
  }
  return {
    connectionString,
    get pid() {
      return server.pid;
    },
    exited: server.exited,
    async stop(): Promise<void> {
      await server.stop();
      await endpoint.close();
      await lock.release();
    },
  };
}

async function createDatabase(endpoint: Endpoint): Promise<void> {
  await using maintenance = openDatabase({
    connectionString: endpoint.connectionString('postgres'),
    connectionsMax: 1,
    applicationName: 'oja start',
    onPoolError: () => undefined,
  });
  const [found] = await maintenance.query('select from pg_database where datname = $1', [databaseName]);
  if (found === undefined) {
    await maintenance.query(`create database ${databaseName}`);
  }
}
