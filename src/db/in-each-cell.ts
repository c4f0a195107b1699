/** Reads the tables of all merchants, which may be on several servers. */
import type { Queries } from './database.ts';
import { CellLookup } from './find-cells.ts';

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

/** Returns the cell of the merchant, or the whole tables, if they are in one server. */
export async function cellOf<Source extends Queries>(
  whole: Source,
  merchantId: number,
): Promise<Source | Queries> {
  const { cells } = whole;
  if (cells === undefined) return whole;
  return cells[await new CellLookup(whole, true).find(merchantId)] ?? whole;
}
