/** Distributes an installation over the workers of its coordinator, and creates the cells there. */
import { cellSchema } from '../../src/db/cell-schemas.ts';
import { type Database, openDatabase } from '../../src/db/database.ts';
import { atNode, createCell, findWorkerCells } from './cells-store.ts';
import { type Distribution, distribute } from './distribute-store.ts';

/**
 * Creates `cells` cells from the tables of the coordinator. If its process dies, it can be
 * repeated: the tables are distributed completely or not at all, and existing cells are left alone.
 * Returns undefined for tables that were distributed before.
 */
export async function initCluster(
  coordinator: Database,
  connectionString: string,
  cells: number,
): Promise<Distribution | undefined> {
  const present = await findWorkerCells(coordinator);
  const distribution =
    present.length > 0
      ? undefined
      : await coordinator.transaction((tx) => distribute(tx, cells), { patient: true });
  for (const cell of await findWorkerCells(coordinator)) {
    await using worker = openDatabase({
      connectionString: atNode(connectionString, cell),
      connectionsMax: 1,
      applicationName: 'oja cluster',
      onPoolError: () => undefined,
    });
    const [schema] = await worker.query('select from pg_namespace where nspname = $1', [
      cellSchema(cell.number),
    ]);
    if (schema === undefined) await createCell(coordinator, worker, cell);
  }
  return distribution;
}
