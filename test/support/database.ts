/**
 * A separate, migrated and empty database for a test, cloned from the run's template. A test file
 * that is run alone, without the run's set-up, starts its own cluster.
 */
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { testCells } from './test-cells.ts';

/** A template with that many cells. */
export const templateName = (cells: number): string => `oja_template_${cells}`;

/** The template, with all data of the demo's first start except its credentials. */
export const demoTemplateName = (cells: number): string => `oja_demo_template_${cells}`;

export type TestDatabase = AsyncDisposable & {
  readonly connectionString: string;
  readonly database: Database;
};

let ownCluster: Promise<string> | undefined;

/** With `empty`, a database without any migration; with `demo`, a demo's database. */
export async function createTestDatabase(
  options: { empty?: boolean; demo?: boolean } = {},
): Promise<TestDatabase> {
  const clusterString = await clusterConnectionString();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const migrated = options.demo ? demoTemplateName : templateName;
  const template = options.empty ? 'template1' : migrated(testCells);
  await administer(clusterString, `create database ${name} template ${template} strategy file_copy`);
  const connectionString = withDatabaseName(clusterString, name);
  const database = openTestDatabase(connectionString, 10);
  return {
    connectionString,
    database,
    async [Symbol.asyncDispose](): Promise<void> {
      await database[Symbol.asyncDispose]();
      await administer(clusterString, `drop database ${name} with (force)`);
    },
  };
}

/** The types of `pg` omit these two. */
type Client = pg.Client & { ref(): void; unref(): void };

let maintenance: Promise<Client> | undefined;
let administered: Promise<unknown> = Promise.resolve();

/** Statements run one after the other on one connection, which keeps no process alive. */
async function administer(connectionString: string, statement: string): Promise<void> {
  const before = administered;
  const work = (async () => {
    await before.catch(() => undefined);
    maintenance ??= connect(connectionString);
    const client = await maintenance;
    client.ref();
    await client.query(statement).finally(() => client.unref());
  })();
  administered = work;
  await work;
}

async function connect(connectionString: string): Promise<Client> {
  const client = new pg.Client({ connectionString, application_name: 'oja test' }) as Client;
  client.on('error', () => {
    maintenance = undefined;
  });
  await client.connect();
  return client;
}

function openTestDatabase(connectionString: string, connectionsMax: number): Database {
  return openDatabase({
    connectionString,
    connectionsMax,
    applicationName: 'oja test',
    onPoolError: () => undefined,
  });
}

async function clusterConnectionString(): Promise<string> {
  const shared = process.env.OJA_TEST_CLUSTER;
  if (shared) {
    return shared;
  }
  ownCluster ??= startOwnCluster();
  return await ownCluster;
}

/** Loads the code that starts a cluster only if none is running. */
async function startOwnCluster(): Promise<string> {
  const { startTestCluster } = await import('./test-cluster.ts');
  return (await startTestCluster()).connectionString;
}

/** The same server, another database. */
export function withDatabaseName(connectionString: string, name: string): string {
  return connectionString.replace('/oja?', `/${name}?`);
}
