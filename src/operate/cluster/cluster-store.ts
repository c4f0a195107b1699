/** SQL about the servers of a distributed installation. */
import type { Sql, Tx } from '../../db/database.ts';
import { DEAD_AFTER_MS } from '../../purchases/engine/gateway-store.ts';

/** Returns whether Citus is installed in the database of this connection. */
export async function hasEngine(sql: Sql): Promise<boolean> {
  return (await sql.query("select from pg_extension where extname = 'citus'")).length > 0;
}

/** Counts the workers that can hold cells. */
export async function countWorkers(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: number }>(`
    select count(*)::integer as count
    from pg_dist_node
    where isactive
    and shouldhaveshards
    and noderole = 'primary'`);
  return row?.count ?? 0;
}

/**
 * Keeps gateways from starting until the transaction ends, and returns how many run now. A gateway
 * starts with a heartbeat.
 */
export async function lockOutGateways(tx: Tx): Promise<number> {
  await tx.query('lock table gateways in exclusive mode');
  const alive = await tx.query("select from gateways where seen_at > now() - $1 * interval '1 millisecond'", [
    DEAD_AFTER_MS,
  ]);
  return alive.length;
}

export type Node = { readonly host: string; readonly port: number; readonly isCoordinator: boolean };

export async function listNodes(sql: Sql): Promise<readonly Node[]> {
  return await sql.query<Node>(`
    select nodename as host, nodeport as port, groupid = 0 as "isCoordinator"
    from pg_dist_node
    where noderole = 'primary'
    order by groupid`);
}

/** The merchants of a cell, and the bytes of the shards that its views name. */
export async function readCellSize(
  worker: Sql,
  schema: string,
): Promise<{ readonly merchants: number; readonly bytes: bigint }> {
  const [row] = await worker.query<{ merchants: number; bytes: bigint }>(
    `select
       (select count(distinct merchant_id)::integer from ${schema}.wallet_owners) as merchants,
       (
         select coalesce(sum(pg_total_relation_size(shards.oid)), 0)::bigint
         from (
           -- Citus hides shards in pg_class.
           select distinct d.refobjid as oid
           from pg_class v
           join pg_rewrite r on r.ev_class = v.oid
           join pg_depend d
             on d.objid = r.oid
             and d.classid = 'pg_rewrite'::regclass
             and d.refclassid = 'pg_class'::regclass
             and d.refobjid <> v.oid
           where v.relnamespace = $1::regnamespace
         ) as shards
       ) as bytes`,
    [schema],
  );
  return row ?? { merchants: 0, bytes: 0n };
}

/** Makes a server a worker, with a copy of each table that all servers have. */
export async function addNode(sql: Sql, { host, port }: Pick<Node, 'host' | 'port'>): Promise<void> {
  await sql.query('select citus_add_node($1, $2)', [host, port]);
  // Citus would copy them with the first cell only if it moved that by itself.
  await sql.query("select replicate_reference_tables('auto')");
}

/** Rejects with the error of Citus if the server has cells. */
export async function removeNode(sql: Sql, { host, port }: Pick<Node, 'host' | 'port'>): Promise<void> {
  await sql.query('select citus_remove_node($1, $2)', [host, port]);
}
