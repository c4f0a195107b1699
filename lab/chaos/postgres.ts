/** The PostgreSQL of a run, on a small disk if possible, and its faults. */
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { openBenchDatabase } from '../../bench/cluster.ts';
import type { Database } from '../../src/db/database.ts';
import { clusterOf, startEmbeddedServer } from '../../src/db/embedded-server.ts';
import { cleanUpAfter } from '../../test/support/clean-up-after.ts';
import { childrenOf, isAlive, killNow, until } from '../../test/support/processes.ts';
import { mountSmallDisk, type SmallDisk } from './small-disk.ts';

export type Postgres = {
  readonly connectionString: string;
  /** Connections of the run itself. */
  readonly database: Database;
  /** Undefined if the system has none. */
  readonly disk: SmallDisk | undefined;
  /** The server and its sessions, as they are now. */
  processes(): number[];
  /** The sessions of clients only. */
  sessions(): Promise<number[]>;
  /**
   * Runs an action that ends all sessions, and resolves when the server accepts queries and writes
   * again.
   */
  fall(how: () => void): Promise<void>;
  /** SIGKILL for all of its processes in one moment. */
  kill(): void;
  /** An immediate stop, as if the machine were switched off. */
  stop(): void;
  /** Resolves when it accepts queries and writes. */
  untilWell(): Promise<void>;
  /** Lines of its log with this text. */
  linesWith(text: string): Promise<string[]>;
};

/** Enough space for all purchases of an hour and their log. */
const DISK_MB = 4_096;
const WELL_MS = 60_000;

const settings = {
  max_connections: '120',
  shared_buffers: '128MB',
  // A kill is followed by a recovery, which is short if checkpoints are frequent.
  max_wal_size: '256MB',
  min_wal_size: '80MB',
  checkpoint_timeout: '30s',
};

export async function startPostgres(stack: AsyncDisposableStack, dir: string): Promise<Postgres> {
  const disk = await mountSmallDisk(join(dir, 'disk'), DISK_MB);
  if (disk !== undefined) stack.use(disk);
  const dataDir = join(dir, 'disk', 'data');
  await mkdir(dataDir);
  cleanUpAfter(dataDir);
  const server = await startEmbeddedServer({ dataDir, settings });
  stack.defer(() => server.stop());
  const database = stack.use(openBenchDatabase(server.connectionString, 3));
  const processes = (): number[] => (server.pid === undefined ? [] : [server.pid, ...childrenOf(server.pid)]);
  const sessions = async (): Promise<number[]> => {
    const rows = await database.query<{ pid: number }>(
      "select pid from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()",
    );
    return rows.map(({ pid }) => pid);
  };
  const untilWell = async (): Promise<void> => {
    const write = "select pg_logical_emit_message(true, 'chaos', '')";
    await until('the database is well', WELL_MS, () =>
      database.query(write).then(
        () => true,
        () => false,
      ),
    );
  };
  return {
    connectionString: server.connectionString,
    database,
    disk,
    processes,
    sessions,
    fall: async (how) => {
      const present = await sessions();
      how();
      await until('all sessions end', WELL_MS, () => !present.some(isAlive));
      await untilWell();
    },
    kill: () => killNow(processes()),
    stop: () => {
      if (server.pid !== undefined) process.kill(server.pid, 'SIGQUIT');
    },
    untilWell,
    linesWith: async (text) => {
      const path = join(dirname(clusterOf(dataDir)), 'server.log');
      const logs = await Promise.all(
        [`${path}.old`, path].map((name) => readFile(name, 'utf8').catch(() => '')),
      );
      return logs.flatMap((log) => log.split('\n').filter((line) => line.includes(text)));
    },
  };
}
