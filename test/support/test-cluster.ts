/**
 * One PostgreSQL for a test run, in a temporary folder, with a migrated template database to clone.
 * It goes away with the process that started it, however that ends: the server by its death signal,
 * the folder by a janitor.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { prepareDatabase } from '../../src/app/prepare-database.ts';
import { openDatabase } from '../../src/db/database.ts';
import { startEmbeddedServer } from '../../src/db/embedded-server.ts';
import { builtInProviders } from '../../src/providers/registry.ts';
import { cleanUpAfter } from './clean-up-after.ts';
import { templateName, withDatabaseName } from './database.ts';

export type TestCluster = {
  /** Of a database that is nobody's, from which others are created and dropped. */
  readonly connectionString: string;
  stop(): Promise<void>;
};

export async function startTestCluster(): Promise<TestCluster> {
  const folder = await mkdtemp(join(tmpdir(), 'oja-test-'));
  cleanUpAfter(folder);
  await chmod(folder, 0o755); // The server runs as another user when the tests run as root.
  const server = await startEmbeddedServer({
    dataDir: folder,
    durable: false,
    settings: { max_connections: '200', shared_buffers: '128MB', min_wal_size: '80MB' },
  });
  await createTemplate(server.connectionString);
  return {
    connectionString: server.connectionString,
    async stop(): Promise<void> {
      await server.stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function createTemplate(connectionString: string): Promise<void> {
  const options = { connectionsMax: 1, applicationName: 'oja test', onPoolError: () => undefined };
  await using maintenance = openDatabase({ ...options, connectionString });
  await maintenance.query(`create database ${templateName}`);
  await using template = openDatabase({
    ...options,
    connectionString: withDatabaseName(connectionString, templateName),
  });
  await prepareDatabase(template, builtInProviders);
}
