/**
 * Opens the pool of connections to the database that the settings name. Where they name none, Oja's
 * own server is started first.
 */
import { type Database, openDatabase } from '../db/database.ts';
import { startEmbeddedServer } from '../db/embedded-server.ts';
import type { Logger } from '../kernel/log.ts';
import type { Config } from './config.ts';

/** An SQL statement that takes this long is stuck: all of ours take milliseconds. */
const STATEMENT_MS = 30_000;

export async function startDatabase(
  config: Config,
  log: Logger,
  stack: AsyncDisposableStack,
): Promise<Database> {
  let connectionString = config.databaseUrl;
  if (connectionString === undefined) {
    const server = await startEmbeddedServer({
      dataDir: config.dataDir,
      log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
    });
    stack.defer(() => server.stop());
    connectionString = server.connectionString;
  }
  return stack.use(
    openDatabase({
      connectionString,
      connectionsMax: config.databaseConnections,
      applicationName: `oja-${config.role}`,
      statementTimeoutMs: STATEMENT_MS,
      onPoolError: (error) => log.warn({ err: error }, 'a database connection broke'),
    }),
  );
}
