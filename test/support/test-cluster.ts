/**
 * One PostgreSQL for a test run, in a temporary folder, with migrated template databases to clone.
 * It ends with the process that started it, in any case: the server by its death signal, the folder
 * by a janitor. A run creates and drops hundreds of databases of 760 files each, which can take ten
 * times longer on a disk than in memory. So the folder is in memory if there is room.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fillDemo } from '../../src/app/demo/seed-demo.ts';
import { prepareDatabase } from '../../src/app/open-storage.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { startEmbeddedServer } from '../../src/db/embedded-server.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import { cleanUpAfter } from './clean-up-after.ts';
import { demoTemplateName, templateName, withDatabaseName } from './database.ts';
import { memoryFolder } from './memory-folder.ts';
import { testCells } from './test-cells.ts';

export type TestCluster = {
  /** A connection to a maintenance database, from which others are created and dropped. */
  readonly connectionString: string;
  stop(): Promise<void>;
};

/** The templates are of databases with these numbers of cells. */
export async function startTestCluster(cells: readonly number[] = [testCells]): Promise<TestCluster> {
  const folder = await mkdtemp(join(await memoryFolder(), 'oja-test-'));
  cleanUpAfter(folder);
  await chmod(folder, 0o755); // The server runs as another user when the tests run as root.
  const server = await startEmbeddedServer({
    dataDir: folder,
    durable: false,
    settings: {
      max_connections: '500',
      shared_buffers: '128MB',
      min_wal_size: '80MB',
      // Databases live for seconds, so a vacuum worker that visits each of them finds little to do.
      autovacuum_naptime: '1min',
    },
  });
  for (const count of cells) await createTemplates(server.connectionString, count);
  return {
    connectionString: server.connectionString,
    async stop(): Promise<void> {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function createTemplates(clusterString: string, cells: number): Promise<void> {
  await using maintenance = open(clusterString);
  const [plain, demo] = [templateName(cells), demoTemplateName(cells)];
  await maintenance.query(`create database ${plain}`);
  await within(clusterString, plain, (template) => prepareDatabase(template, builtInProviders, cells));
  await maintenance.query(`create database ${demo} template ${plain}`);
  await within(clusterString, demo, (template) =>
    template.transaction((tx) => fillDemo(tx, builtInProviders)),
  );
}

/** Leaves no connection behind, because a template with connections cannot be cloned. */
async function within(
  clusterString: string,
  name: string,
  fill: (database: Database) => Promise<unknown>,
): Promise<void> {
  await using database = open(withDatabaseName(clusterString, name));
  await fill(database);
}

function open(connectionString: string): Database {
  return openDatabase({
    connectionString,
    connectionsMax: 1,
    applicationName: 'oja test',
    onPoolError: () => undefined,
  });
}
