/** The SQL that the tables of the catalog share. */
import type { Tx } from '../db/database.ts';

/** A row as JSON: its columns by name. JSON has no integers of 64 bits, so amounts are texts. */
export type CatalogRow = Readonly<Record<string, unknown>>;

/** Adds rows, or overwrites those with the same key. All rows have the same columns. */
export async function upsertRows(
  tx: Tx,
  table: 'billers' | 'plans' | 'gift_card_plans' | 'esim_plans',
  key: readonly string[],
  rows: readonly CatalogRow[],
): Promise<void> {
  const [first] = rows;
  if (first === undefined) return;
  const columns = Object.keys(first);
  const overwritten = columns.filter((column) => !key.includes(column));
  await tx.query(
    `insert into ${table} (${columns.join(', ')})
     select ${columns.join(', ')}
     from jsonb_populate_recordset(null::${table}, $1::jsonb)
     on conflict (${key.join(', ')}) do update
     set ${overwritten.map((column) => `${column} = excluded.${column}`).join(', ')}`,
    [JSON.stringify(rows)],
  );
}
