/**
 * The database that a command works on: the one that the settings name, or that of the gateway that
 * runs on the data folder. If no gateway runs, Oja's own server is started for the duration of the
 * command.
 */
import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { asCommandError, CommandError } from '../../cli/command-error.ts';
import { type Database, openDatabase } from '../../db/database.ts';
import { findEmbeddedDatabase, startEmbeddedServer } from '../../db/embedded-server.ts';
import { findCells, locateCell } from '../../db/find-cells.ts';
import { requireMigrated } from '../../db/migrate.ts';
import { MovableDatabase } from '../../db/movable-database.ts';
import { checkRewind } from '../../operate/restore-lock/rewind-detector.ts';
import type { Config } from '../config.ts';
import { prepareDatabase } from '../open-storage.ts';
import type { Registries } from '../registries.ts';

/** Only the audit takes longer, and sets its own limit. */
const STATEMENT_MS = 60_000;
const LOCK_MS = 5_000;

type Connection = AsyncDisposable & { readonly database: Database };

/**
 * Throws CommandError if there is no database, MigrationError if it has another version, unless it
 * may have any.
 */
export async function connect(
  config: Pick<Config, 'databaseUrl' | 'dataDir'>,
  registries: Registries,
  anyVersion = false,
): Promise<Connection> {
  await using stack = new AsyncDisposableStack();
  const running = config.databaseUrl ?? (await findEmbeddedDatabase(config.dataDir));
  const database = running === undefined ? await startOwn(config.dataDir, stack) : open(running, stack);
  if (running !== undefined && !anyVersion) {
    await requireMigrated(database);
    const cells = (await findCells(database, running)).filter(({ isPlaced }) => isPlaced);
    if (cells.length > 0) {
      database.cells = cells.map(({ connectionString, schema, number }) =>
        stack.use(
          new MovableDatabase(
            connectionString,
            (address) => openAt(address, schema),
            () => locateCell(database, running, number),
          ),
        ),
      );
    }
  } else if (running === undefined) {
    // Only this process uses a database that it started, so it can migrate it.
    await prepareDatabase(database, registries.providers);
    await checkRewind(database, config.dataDir);
  }
  const owned = stack.move();
  return { database, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function startOwn(dataDir: string, stack: AsyncDisposableStack): Promise<Database> {
  // A mistyped folder must not become a new, empty installation.
  await access(join(dataDir, 'postgres')).catch(() => {
    throw new CommandError(
      'no_database',
      `there is no database in ${dataDir}: set DATABASE_URL, or set OJA_DATA_DIR to the data folder of a gateway that was started before`,
    );
  });
  const server = await startEmbeddedServer({ dataDir, brief: true }).catch((error: unknown) => {
    throw asCommandError(error);
  });
  stack.defer(() => server.stop());
  return open(server.connectionString, stack);
}

function open(connectionString: string, stack: AsyncDisposableStack): Database {
  return stack.use(openAt(connectionString));
}

function openAt(connectionString: string, schema?: string): Database {
  return openDatabase({
    connectionString,
    schema,
    connectionsMax: 2,
    applicationName: 'oja-cli',
    // An operator's command must not delay purchases, neither by a lock that it waits for nor by
    // a lock that it keeps while its terminal is stopped.
    statementTimeoutMs: STATEMENT_MS,
    lockTimeoutMs: LOCK_MS,
    // An error of an idle connection is ignored. An error of a connection in use fails the
    // command.
    onPoolError: () => undefined,
  });
}
