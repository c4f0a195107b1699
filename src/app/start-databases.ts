/**
 * Opens the pools of connections to the database that the settings name. Where they name none,
 * Oja's own server is started first.
 */
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
      log: { info: (message) => log.info(message), warn: (message) => log.warn(message) },
    });
    stack.defer(() => server.stop());
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
