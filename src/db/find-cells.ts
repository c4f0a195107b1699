/** Which cells an installation has, where they are, and the cell of each merchant. */
import { cellSchema } from './cell-schemas.ts';
import type { Sql } from './database.ts';
import { countCells } from './partition-tables.ts';

/** A part of the merchants: its schema, and where its server is. */
export type Cell = {
  /** From 0. */
  readonly number: number;
  readonly schema: string;
  readonly connectionString: string;
  /** Whether its tables are shards, at a worker of the coordinator. */
  readonly isPlaced: boolean;
};

/** Returns the cells of the database, which is that of `connectionString`. */
export async function findCells(sql: Sql, connectionString: string): Promise<readonly Cell[]> {
  const count = (await countCells(sql)) ?? 1;
  const placed = count === 1 ? await findPlacements(sql) : [];
  if (placed.length > 0) {
    return placed.map(({ number, ...node }) => ({
      number,
      schema: cellSchema(number),
      connectionString: atNode(connectionString, node),
      isPlaced: true,
    }));
  }
  return Array.from({ length: count }, (_, number) => ({
    number,
    schema: cellSchema(number),
    connectionString,
    isPlaced: false,
  }));
}

/** Returns the address of a cell now. `connectionString` is that of the coordinator. */
export async function locateCell(sql: Sql, connectionString: string, number: number): Promise<string> {
  const placement = (await findPlacements(sql)).find((cell) => cell.number === number);
  if (placement === undefined) throw new Error(`there is no cell ${number}`);
  return atNode(connectionString, placement);
}

export type Placement = { readonly number: number; readonly host: string; readonly port: number };

/**
 * The cells of a distributed installation, by number: each is one shard of every distributed table.
 * Returns none for an installation that is not distributed.
 */
export async function findPlacements(sql: Sql): Promise<readonly Placement[]> {
  const [engine] = await sql.query("select where to_regclass('pg_catalog.pg_dist_placement') is not null");
  if (engine === undefined) return [];
  return await sql.query<Placement>(`
    select
      (row_number() over (order by s.shardminvalue::bigint) - 1)::integer as number,
      n.nodename as host,
      n.nodeport as port
    from pg_dist_shard s
    join pg_dist_placement p using (shardid)
    join pg_dist_node n using (groupid)
    where s.logicalrelid = to_regclass('public.purchases')
    and n.noderole = 'primary'
    order by number`);
}

/** Returns the same address at another server. */
export function atNode(url: string, { host, port }: Pick<Placement, 'host' | 'port'>): string {
  const address = new URL(url);
  address.hostname = host;
  address.port = String(port);
  return address.href;
}

const partitionOf = `
  select p.cell
  from (
    select i.inhparent, substring(c.relname from '\\d+$')::integer as cell, count(*) over ()::integer as cells
    from pg_inherits i
    join pg_class c on c.oid = i.inhrelid
    where i.inhparent = 'public.purchases'::regclass
  ) p
  where satisfies_hash_partition(p.inhparent, p.cells, p.cell, $1::integer)`;

const shardOf = `
  select p.number::integer as cell
  from (
    select shardid, row_number() over (order by shardminvalue::bigint) - 1 as number
    from pg_dist_shard
    where logicalrelid = 'public.purchases'::regclass
  ) p
  where p.shardid = get_shard_id_for_distribution_column('public.purchases', $1::integer)`;

/** Finds the cell of a merchant. It never changes, so it is looked up once. */
export class CellLookup {
  readonly #sql: Sql;
  readonly #statement: string;
  readonly #known = new Map<number, Promise<number>>();

  constructor(sql: Sql, isPlaced = false) {
    this.#sql = sql;
    this.#statement = isPlaced ? shardOf : partitionOf;
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
    const [row] = await this.#sql.query<{ cell: number }>(this.#statement, [merchantId]);
    if (row === undefined) throw new Error(`no cell has merchant ${merchantId}`);
    return row.cell;
  }
}
