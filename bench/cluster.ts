/** The PostgreSQL of a run, and its databases, which are dropped when the run ends. */
import type { Database } from '../src/db/database.ts';
import { openDatabase } from '../src/db/database.ts';
import { startEmbeddedServer } from '../src/db/embedded-server.ts';
import { createDatabase, dropDatabase, hasDatabase, writeOut } from './bench-store.ts';

export type Cluster = AsyncDisposable & {
  /** The address of an existing database, for queries about the server. */
  readonly maintenance: Database;
  /** The connection string of a database: a new, empty one, or that of an earlier run. */
  createDatabase(name: string): Promise<string>;
  /**
   * Drops the databases of a run, so that their remaining writes and vacuums do not slow the next
   * measurement.
   */
  clear(): Promise<void>;
};

type ClusterOptions = Pick<Parameters<typeof startEmbeddedServer>[0], 'durable' | 'settings'> & {
  /** The prefix of database names. Absent: a unique one. */
  readonly prefix?: string;
};

/** The server at `databaseUrl`, or else a separate one under `dir`, durable by default. */
export async function openCluster(
  databaseUrl: string | undefined,
  dir: string,
  { prefix = `oja_bench_${process.pid}`, ...options }: ClusterOptions = {},
): Promise<Cluster> {
  await using stack = new AsyncDisposableStack();
  let connectionString = databaseUrl;
  if (connectionString === undefined) {
    const server = await startEmbeddedServer({ dataDir: dir, ...options });
    stack.defer(() => server.stop());
    connectionString = server.connectionString;
  }
  const base = connectionString;
  const maintenance = stack.use(openBenchDatabase(base, 1));
  const made = new Set<string>();
  const dropAll = async (): Promise<void> => {
    for (const name of made) await dropDatabase(maintenance, name);
    made.clear();
  };
  // The server may belong to someone else, so its settings are restored.
  if (databaseUrl !== undefined) stack.defer(dropAll);
  const owned = stack.move();
  return {
    maintenance,
    createDatabase: async (name) => {
      const full = `${prefix}_${name}`;
      if (!(await hasDatabase(maintenance, full))) await createDatabase(maintenance, full);
      made.add(full);
      return withDatabaseName(base, full);
    },
    clear: async () => {
      await dropAll();
      // A server that is not ours may refuse this.
      if (databaseUrl === undefined) await writeOut(maintenance);
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

export function openBenchDatabase(connectionString: string, connectionsMax: number): Database {
  return openDatabase({
    connectionString,
    connectionsMax,
    applicationName: 'oja bench',
    onPoolError: () => undefined,
  });
}

function withDatabaseName(connectionString: string, name: string): string {
  const url = new URL(connectionString);
  url.pathname = `/${name}`;
  return url.href;
}
