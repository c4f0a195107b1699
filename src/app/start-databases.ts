/**
 * Opens the pools of connections to the database that the settings name. Where they name none,
 * Oja's own server is started first.
 */
import { openBackupKey } from '../backup/backup-key.ts';
import { shipWal } from '../backup/wal-archive.ts';
import { startEmbeddedServer } from '../db/embedded-server.ts';
import type { Logger } from '../kernel/log.ts';
import type { Config } from './config.ts';
import { type Databases, openDatabases } from './open-databases.ts';

export async function startDatabases(
  config: Config,
  log: Logger,
  stack: AsyncDisposableStack,
): Promise<Databases> {
  let connectionString = config.databaseUrl;
  if (connectionString === undefined) {
    const server = await startEmbeddedServer({
      dataDir: config.dataDir,
      archive: config.walArchiveDir === undefined ? 'off' : 'on',
      log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
    });
    stack.defer(async () => {
      await server.stop();
      // The server has put the rest of its log aside.
      await shipper(config)?.().catch((error: unknown) =>
        log.error({ err: error }, 'the log is not archived'),
      );
    });
    connectionString = server.connectionString;
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

/** Brings the log of Oja's own server to its archive; undefined where none is kept. */
export function shipper({
  walArchiveDir,
  backupKey,
  dataDir,
}: Pick<Config, 'walArchiveDir' | 'backupKey' | 'dataDir'>): (() => Promise<number>) | undefined {
  if (walArchiveDir === undefined || backupKey === undefined) return undefined;
  return async () => await shipWal(dataDir, walArchiveDir, await openBackupKey(backupKey));
}
