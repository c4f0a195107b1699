/** The database of a merchant's cell, as a gateway reads it: the whole one if there is one cell. */
import { type Database, openDatabase } from '../../src/db/database.ts';
import { CellLookup, findCells } from '../../src/db/find-cells.ts';
import type { TestDatabase } from './database.ts';

export async function openCellOf(test: TestDatabase, merchantId: number): Promise<Database> {
  const cells = await findCells(test.database, test.connectionString);
  const cell = cells.length === 1 ? undefined : cells[await new CellLookup(test.database).find(merchantId)];
  return openDatabase({
    connectionString: test.connectionString,
    connectionsMax: 3,
    applicationName: 'oja test',
    onPoolError: () => undefined,
    schema: cell?.schema,
  });
}
