/** The cells of a test's database, as if they were on other servers. */
import { type Database, openDatabase } from '../../src/db/database.ts';
import { findCells } from '../../src/db/find-cells.ts';
import type { TestDatabase } from './database.ts';

/** `stack` closes them. */
export async function openCellsOf(
  { database, connectionString }: TestDatabase,
  stack: AsyncDisposableStack,
): Promise<Database[]> {
  return (await findCells(database, connectionString)).map(({ schema }) =>
    stack.use(
      openDatabase({
        connectionString,
        connectionsMax: 2,
        applicationName: 'oja test',
        onPoolError: () => undefined,
        schema,
      }),
    ),
  );
}
