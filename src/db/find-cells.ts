/** Which cells an installation has, and the cell of each merchant. */
import { cellSchema } from './cell-schemas.ts';
import type { Sql } from './database.ts';
import { countCells } from './partition-tables.ts';

/** A part of the merchants: its schema, and where its server is. */
export type Cell = {
  /** From 0. */
  readonly number: number;
  readonly schema: string;
  readonly connectionString: string;
};

/** Returns the cells of the database, which is that of `connectionString`. */
export async function findCells(sql: Sql, connectionString: string): Promise<readonly Cell[]> {
  const count = (await countCells(sql)) ?? 1;
  return Array.from({ length: count }, (_, number) => ({
    number,
    schema: cellSchema(number),
    connectionString,
  }));
}

/** Finds the cell of a merchant. It never changes, so it is looked up once. */
export class CellLookup {
  readonly #sql: Sql;
  readonly #known = new Map<number, Promise<number>>();

  constructor(sql: Sql) {
    this.#sql = sql;
  }

  /** Returns the number of the cell. */
  async find(merchantId: number): Promise<number> {
    const known = this.#known.get(merchantId) ?? this.#read(merchantId);
    this.#known.set(merchantId, known);
    // A failure is not remembered.
    return await known.catch((error: unknown) => {
      this.#known.delete(merchantId);
      throw error;
    });
  }

  async #read(merchantId: number): Promise<number> {
    const [row] = await this.#sql.query<{ cell: number }>(
      `select p.cell
       from (
         select i.inhparent, substring(c.relname from '\\d+$')::integer as cell, count(*) over ()::integer as cells
         from pg_inherits i
         join pg_class c on c.oid = i.inhrelid
         where i.inhparent = 'public.purchases'::regclass
       ) p
       where satisfies_hash_partition(p.inhparent, p.cells, p.cell, $1::integer)`,
      [merchantId],
    );
    if (row === undefined) throw new Error(`no cell has merchant ${merchantId}`);
    return row.cell;
  }
}
