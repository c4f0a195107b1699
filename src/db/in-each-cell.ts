/** Reads the tables of all merchants, which may be on several servers. */
import type { Queries, Sql, Tx } from './database.ts';
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

/** Returns the same statements and transactions, which know the cells. */
export function withCells(whole: Queries, cells: readonly Queries[] | undefined): Queries {
  if (cells === undefined) return whole;
  const know = (tx: Tx): Tx => ({
    kind: 'tx',
    cells,
    query: (statement, values) => tx.query(statement, values),
  });
  return {
    cells,
    query: (statement, values) => whole.query(statement, values),
    transaction: (work, options) => whole.transaction((tx) => work(know(tx)), options),
  };
}

/** Returns the cell of the merchant, or the whole tables, if they are in one server. */
export async function cellOf<Source extends Sql>(
  whole: Source,
  merchantId: number,
): Promise<Source | Queries> {
  const { cells } = whole;
  if (cells === undefined) return whole;
  return cells[await new CellLookup(whole, true).find(merchantId)] ?? whole;
}

/**
 * Returns the rows of all cells together, as JSON for `json_to_recordset`. `tables`: common table
 * expressions that `select` reads.
 */
export async function collectRows(
  cells: readonly Sql[],
  select: string,
  values: readonly unknown[] = [],
  tables: readonly string[] = [],
): Promise<string> {
  const given = tables.length === 0 ? '' : `with ${tables.join(',\n')}`;
  const parts = await Promise.all(
    cells.map((cell) =>
      cell.query<{ rows: string | null }>(
        `${given} select string_agg(row_to_json(r)::text, ',') as rows from (${select}) r`,
        values,
      ),
    ),
  );
  return `[${parts.flatMap(([part]) => part?.rows ?? []).join()}]`;
}
