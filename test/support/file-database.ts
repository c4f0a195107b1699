/** The database of a test file. */
import { after } from 'node:test';
import type { Database } from '../../src/db/database.ts';
import { createTestDatabase } from './database.ts';

/** A migrated and empty database for all tests of a file. It is dropped after them. */
export async function openFileDatabase(): Promise<Database> {
  const clone = await createTestDatabase();
  after(() => clone[Symbol.asyncDispose]());
  return clone.database;
}
