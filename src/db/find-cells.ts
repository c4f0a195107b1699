/** Which cells an installation has, and the cell of each merchant. */
import { cellSchema } from './cell-schemas.ts';
import { findWorkerCells } from './cluster/worker-cells-store.ts';
import type { Sql } from './database.ts';
import { countCells } from './partition-tables.ts';

/** A part of the merchants: its schema, and where its server is. */
export type Cell = {
  /** From 0. */
  readonly number: number;
  readonly schema: string;
  readonly connectionString: string;
};

/** Whether the tables are distributed over the servers of a cluster. */
export async function isDistributed(sql: Sql): Promise<boolean> {
  const [row] = await sql.query<{ found: boolean }>(
    "select to_regclass('pg_dist_partition') is not null as found",
  );
  if (row?.found !== true) return false;
  const [placed] = await sql.query(
    "select from pg_dist_partition where logicalrelid = 'public.purchases'::regclass",
  );
  return placed !== undefined;
}

/**
 * Returns the cells. Those of a cluster are at its workers, with the user and the database of
 * `connectionString`; others are in its own server.
 */
export async function findCells(sql: Sql, connectionString: string): Promise<readonly Cell[]> {
  if (await isDistributed(sql)) {
    return (await findWorkerCells(sql)).map(({ number, host, port }) => ({
      number,
      schema: cellSchema(number),
      connectionString: atNode(connectionString, { host, port }),
    }));
  }
  const count = (await countCells(sql)) ?? 1;
  return Array.from({ length: count }, (_, number) => ({
    number,
    schema: cellSchema(number),
    connectionString,
  }));
}

/** Returns the same address at another server. */
export function atNode(connectionString: string, { host, port }: { host: string; port: number }): string {
  const address = new URL(connectionString);
  address.hostname = host;
  address.port = String(port);
  return address.href;
}

/** Finds the cell of a merchant. It never changes, so it is looked up once. */
export class CellLookup {
  readonly #sql: Sql;
  #isDistributed: boolean | undefined;
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
    this.#isDistributed ??= await isDistributed(this.#sql);
    const [row] = await this.#sql.query<{ cell: number }>(
      this.#isDistributed ? cellOfShard : cellOfPartition,
      [merchantId],
    );
    if (row === undefined) throw new Error(`no cell has merchant ${merchantId}`);
    return row.cell;
  }
}

const cellOfPartition = `
  select substring(c.relname from '\\d+$')::integer as cell
  from pg_inherits i
  join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'public.purchases'::regclass
  and satisfies_hash_partition(
    i.inhparent,
    (select count(*)::integer from pg_inherits where inhparent = i.inhparent),
    substring(c.relname from '\\d+$')::integer,
    $1::integer
  )`;

const cellOfShard = `
  select number::integer as cell
  from (
    select shardid, row_number() over (order by shardminvalue::bigint) - 1 as number
    from pg_dist_shard
    where logicalrelid = 'public.purchases'::regclass
  ) as shards
  where shardid = get_shard_id_for_distribution_column('public.purchases', $1::integer)`;
