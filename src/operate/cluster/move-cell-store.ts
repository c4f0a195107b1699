/**
 * SQL of a move of a cell while its merchants buy. Statements of a cell use the views of its schema
 * and take no lock of Citus, so the move locks the views, and leaves names that nothing can use.
 */
import { cellSchema } from '../../db/cell-schemas.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { ownTables } from './cell-store.ts';
import type { Node } from './cluster-store.ts';
import { readFunction } from './distribute-store.ts';

type Address = Pick<Node, 'host' | 'port'>;
export type Shards = { readonly shard: bigint; readonly tables: readonly string[] };

/** The schema that keeps what the cell had at its old server, until the new one has it. */
export function leftSchema(number: number): string {
  return `${cellSchema(number)}_left`;
}

/** The schema that the new server gets before it has the cell. */
export function nextSchema(number: number): string {
  return `${cellSchema(number)}_next`;
}

/** Returns one shard of the cell, which stands for all of them, and the names of their tables. */
export async function findShards(coordinator: Sql, number: number): Promise<Shards> {
  const [shards] = await coordinator.query<Shards>(
    `select
       p.shardid as shard,
       array(
         select logicalrelid::text
         from pg_dist_partition
         where partmethod = 'h'
         -- Statements that move money write these first. So no money moves once they are locked.
         order by array_position(array['purchases', 'pending_purchases', 'wallet_states'], logicalrelid::text)
       ) as tables
     from (
       select shardid, row_number() over (order by shardminvalue::bigint) - 1 as number
       from pg_dist_shard
       where logicalrelid = 'public.purchases'::regclass
     ) as p
     where p.number = $1`,
    [number],
  );
  if (shards === undefined) throw new Error(`there is no cell ${number}`);
  return shards;
}

/** Returns false if another move is running. */
export async function takeTurn(tx: Tx): Promise<boolean> {
  const [row] = await tx.query<{ taken: boolean }>(
    "select pg_try_advisory_xact_lock(hashtext('oja.cluster_move')) as taken",
  );
  return row?.taken === true;
}

/**
 * Drops what earlier moves left. Citus refuses to move a cell to where a part of it is left.
 * Returns false if something is still in use.
 */
export async function cleanUp(coordinator: Sql): Promise<boolean> {
  await coordinator.query('call citus_cleanup_orphaned_resources()');
  return (await coordinator.query('select from pg_dist_cleanup limit 1')).length === 0;
}

/** Keeps Citus from finishing a move of the shards until the transaction ends. */
export async function holdUp(tx: Tx, { shard }: Shards): Promise<void> {
  // Mode 5 is a shared lock. Citus takes an exclusive one before the last changes are copied.
  await tx.query('select lock_shard_metadata(5, array[$1::bigint])', [shard]);
}

/** Returns once no move of the shards can still commit, whose process died or lost its answer. */
export async function awaitEnd(tx: Tx, { shard }: Shards): Promise<void> {
  // Mode 7 is the lock that a move keeps until it ends.
  await tx.query("set local lock_timeout = '30s'");
  await tx.query('select lock_shard_metadata(7, array[$1::bigint])', [shard]);
}

/** Copies the shards, and names the new server in the catalogue when the transaction commits. */
export async function moveShards(tx: Tx, { shard }: Shards, from: Address, to: Address): Promise<void> {
  await tx.query("select citus_move_shard_placement($1, $2, $3, $4, $5, 'force_logical')", [
    shard,
    from.host,
    from.port,
    to.host,
    to.port,
  ]);
}

export async function readPid(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ pid: number }>('select pg_backend_pid() as pid');
  return row?.pid ?? 0;
}

/** Whether the process waits for `holdUp`: the shards are copied, and changes follow. */
export async function isHeldUp(coordinator: Sql, pid: number): Promise<boolean> {
  const waiting = await coordinator.query(
    `select from pg_locks
     where pid = $1
     and locktype = 'advisory'
     and not granted`,
    [pid],
  );
  return waiting.length > 0;
}

export async function cancel(coordinator: Sql, pid: number): Promise<void> {
  await coordinator.query('select pg_cancel_backend($1)', [pid]);
}

/**
 * Keeps every write of the cell waiting until the transaction ends. Reads continue. Rejects with
 * 55P03 when a statement keeps a lock for longer than `waitMs`: writers must not wait for it too.
 */
export async function lockCell(tx: Tx, number: number, { tables }: Shards, waitMs: number): Promise<void> {
  // Heartbeats must not wait. One that is lost is repeated a second later.
  const own = ownTables.filter((table) => table !== 'gateways');
  const names = [...tables, ...own].map((table) => `${cellSchema(number)}.${table}`);
  await tx.query(
    `set local lock_timeout = ${waitMs}; lock table ${names.join(', ')} in share row exclusive mode`,
  );
}

/**
 * Renames the schema of the cell, and leaves one that has the names of its tables as types. Each
 * statement that names one is refused (`isCellMoved`), and none finds the tables of all cells.
 */
export async function leaveNames(tx: Tx, number: number, names: readonly string[]): Promise<void> {
  const schema = cellSchema(number);
  await tx.query(
    [
      'set local citus.enable_ddl_propagation = off',
      `alter schema ${schema} rename to ${leftSchema(number)}`,
      ...statementsOfNames(schema, names),
    ].join(';\n'),
  );
}

/** Creates a schema in which each statement of the cell is refused. */
export async function createNames(tx: Tx, number: number, names: readonly string[]): Promise<void> {
  await tx.query(
    ['set local citus.enable_ddl_propagation = off', ...statementsOfNames(cellSchema(number), names)].join(
      ';\n',
    ),
  );
}

function statementsOfNames(schema: string, names: readonly string[]): string[] {
  return [
    `create schema ${schema}`,
    ...names.map((name) => `create type ${schema}.${name} as (moved boolean)`),
    `set local search_path = ${schema}, public`,
    // The coordinator calls it.
    readFunction('post_transfers'),
  ];
}

export async function readNames(sql: Sql, schema: string): Promise<readonly string[]> {
  const rows = await sql.query<{ name: string }>(
    `select relname as name
     from pg_class
     where relnamespace = to_regnamespace($1)
     and relkind in ('r', 'v', 'S')`,
    [schema],
  );
  return rows.map(({ name }) => name);
}

/**
 * Gives a schema that has its rows the name that gateways use, after the last statements in it.
 */
export async function putInPlace(tx: Tx, number: number, last: readonly string[]): Promise<void> {
  const schema = cellSchema(number);
  await tx.query(
    [
      ...last,
      'set local citus.enable_ddl_propagation = off',
      'set local client_min_messages = warning',
      `drop schema if exists ${schema} cascade`,
      `alter schema ${nextSchema(number)} rename to ${schema}`,
    ].join(';\n'),
  );
}

export async function hasSchema(worker: Sql, schema: string): Promise<boolean> {
  return (await worker.query('select from pg_namespace where nspname = $1', [schema])).length > 0;
}

/** Undoes `leaveNames`, where the catalogue still names this server. */
export async function takeBack(tx: Tx, number: number): Promise<void> {
  const schema = cellSchema(number);
  await tx.query(
    [
      'set local citus.enable_ddl_propagation = off',
      'set local client_min_messages = warning',
      `drop schema ${schema} cascade`,
      `alter schema ${leftSchema(number)} rename to ${schema}`,
    ].join(';\n'),
  );
}

export async function dropSchema(tx: Tx, schema: string): Promise<void> {
  await tx.query(
    [
      'set local citus.enable_ddl_propagation = off',
      'set local client_min_messages = warning',
      `drop schema if exists ${schema} cascade`,
    ].join(';\n'),
  );
}

/** Whether what the cell left has its views, so that `takeBack` makes it the cell again. */
export async function isWhole(worker: Sql, number: number): Promise<boolean> {
  return (await readViews(worker, leftSchema(number))).length > 0;
}

/** Drops the views of what the cell left, which would keep their tables from changing. */
export async function dropViews(tx: Tx, number: number): Promise<void> {
  const schema = leftSchema(number);
  const views = (await readViews(tx, schema)).map((name) => `${schema}.${name}`);
  await tx.query(`set local citus.enable_ddl_propagation = off; drop view ${views.join(', ')} cascade`);
}

async function readViews(sql: Sql, schema: string): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select relname as name
     from pg_class
     where relnamespace = to_regnamespace($1)
     and relkind = 'v'`,
    [schema],
  );
  return rows.map(({ name }) => name);
}

/** Copies the rows and the position of what the cell left, in the columns that are in both. */
export async function copyLeft(tx: Tx, number: number): Promise<void> {
  const [left, next] = [leftSchema(number), nextSchema(number)];
  const copies = await tx.query<{ statement: string }>(
    `select format(
       'insert into %1$s.%3$I (%4$s) overriding system value select %4$s from %2$s.%3$I',
       $1::text,
       $2::text,
       c.relname,
       string_agg(quote_ident(a.attname), ', ' order by a.attnum)
     ) as statement
     from pg_class c
     join pg_class old
       on old.relname = c.relname
       and old.relnamespace = to_regnamespace($2)
     join pg_attribute a
       on a.attrelid = c.oid
       and a.attnum > 0
       and not a.attisdropped
     join pg_attribute b
       on b.attrelid = old.oid
       and b.attname = a.attname
       and not b.attisdropped
     where c.relnamespace = to_regnamespace($1)
     and c.relkind = 'r'
     group by c.relname`,
    [next, left],
  );
  await tx.query(
    [
      ...copies.map(({ statement }) => statement),
      `select setval('${next}.transfers_id_seq', last_value, is_called) from ${left}.transfers_id_seq`,
    ].join(';\n'),
  );
}
