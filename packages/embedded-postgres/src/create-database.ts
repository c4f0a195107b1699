/** Creates the caller's database in the server, if it does not exist yet. */
import pg from 'pg';
import type { Endpoint } from './endpoint.ts';

/** It always exists, because initdb creates it. */
export const maintenanceDatabase = 'postgres';

/** PostgreSQL truncates longer names. */
const nameMaxBytes = 63;
/** Drivers differ in how they read these from a URL. */
const reserved = /[;/?:@&=+$,#]/;

/** Throws TypeError for a name that a connection string cannot carry. */
export function checkDatabaseName(name: string): void {
  const bytes = Buffer.byteLength(name);
  if (bytes === 0 || bytes > nameMaxBytes || reserved.test(name)) {
    throw new TypeError(
      `databaseName must be 1 to ${nameMaxBytes} bytes without any of ; / ? : @ & = + $ , # (it is "${name}")`,
    );
  }
}

export async function createDatabase(endpoint: Endpoint, name: string): Promise<void> {
  if (name === maintenanceDatabase) {
    return;
  }
  const client = new pg.Client({
    connectionString: endpoint.connectionString(maintenanceDatabase),
    application_name: 'embedded-postgres',
  });
  await client.connect();
  try {
    const found = await client.query('select from pg_database where datname = $1', [name]);
    if (found.rowCount === 0) {
      await client.query(`create database ${client.escapeIdentifier(name)}`);
    }
  } finally {
    await client.end();
  }
}
