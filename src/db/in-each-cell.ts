/** Reads the tables of all merchants, which may be on several servers. */
import type { Queries } from './database.ts';

/**
 * Returns what `read` finds in each cell, or in the whole tables, if they are in one server.
 * Rejects if a cell does not answer, because a part must not be taken for all.
 */
export async function inEachCell<Source extends object, T>(
  whole: Source & { readonly cells?: readonly Queries[] },
  read: (sql: Source | Queries) => Promise<T>,
): Promise<readonly T[]> {
  return await Promise.all((whole.cells ?? [whole]).map(async (sql) => await read(sql)));
}
