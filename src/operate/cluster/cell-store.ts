/**
 * SQL that creates a cell of a distributed installation at its worker. A cell is one shard of each
 * distributed table. Its schema has a view of each shard under the name of the table, so that the
 * unchanged statements and functions of Oja run at the worker, without the planner of Citus.
 */
import { cellSchema } from '../../db/cell-schemas.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { Placement } from '../../db/find-cells.ts';
import { readFunction } from './distribute-store.ts';

/** Tables that each cell has for itself: records of a cell, and what the coordinator collects. */
export const ownTables = [
  ...['alarms', 'audit_log', 'event_marks', 'gateways', 'house_deltas', 'roll_up_checkpoints', 'settings'],
  ...['success_rechecks', 'user_mails'],
];

/** The first rows of these tables. */
const firstRows = [
  "insert into roll_up_checkpoints values ('-infinity')",
  'insert into event_marks (position) values (0)',
  `insert into settings (name, value) values
     ('search_progress', '{"up_to": "-infinity", "read_from": "-infinity"}'),
     ('retention', 'one process at a time')`,
];

/** Whether the server has the cell. After a move, the old one has only names of its tables. */
export async function hasCell(worker: Sql, { number }: Pick<Placement, 'number'>): Promise<boolean> {
  const found = await worker.query(
    `select from pg_class
     where relnamespace = to_regnamespace($1)
     and relkind = 'v'`,
    [cellSchema(number)],
  );
  return found.length > 0;
}

/** The ids of transfers are different in all cells, and rise in each, wherever it is. */
const CELLS_MAX = 64;

/** What a cell has beside its shards: rows of each of its own tables, and its last position. */
export type CellState = {
  /** A JSON object: a text of JSON for each table. */
  readonly rows: string;
  readonly position: bigint;
  readonly isUsed: boolean;
};

/** Reads what a move of the cell takes along from its schema at the old server. */
export async function readCellState(worker: Sql, schema: string): Promise<CellState> {
  const reads = ownTables.map(
    (table) => `(select coalesce(json_agg(t), '[]')::text from ${schema}.${table} t) as ${table}`,
  );
  const [row] = await worker.query<CellState>(
    `select row_to_json(r)::text as rows, last_value as position, is_called as "isUsed"
     from ${schema}.transfers_id_seq
     cross join (select ${reads.join(', ')}) r`,
  );
  if (row === undefined) throw new Error(`${schema} has no positions`);
  return row;
}

/** The statements that create a schema of a cell, the same at each server. */
export async function prepareCell(
  coordinator: Sql,
  { number }: Pick<Placement, 'number'>,
  schema: string,
): Promise<readonly string[]> {
  return [
    'set local citus.enable_ddl_propagation = off',
    'set local client_min_messages = warning',
    // An unfinished move may have created it.
    `drop schema if exists ${schema} cascade`,
    `create schema ${schema}`,
    `set local search_path = ${schema}, public`,
    await sequenceOf(coordinator, number),
    ...(await viewsOfShards(coordinator, number)),
    ...(await tablesOfCell(coordinator, schema)),
    ...(await copiesOfViews(coordinator)),
    readFunction('post_transfers'),
  ];
}

/** Creates a schema of the cell at a server of its shards, without the first rows of its tables. */
export async function createCell(tx: Tx, schema: string, prepared: readonly string[]): Promise<void> {
  await tx.query(prepared.join(';\n'));
  const defaults = await tx.query<{ statement: string }>(defaultsOfViews, [schema]);
  await tx.query(defaults.map(({ statement }) => statement).join(';\n'));
}

/** Fills the tables of a new cell. */
export async function insertFirstRows(tx: Tx): Promise<void> {
  await tx.query(firstRows.join(';\n'));
}

/**
 * Fills the tables of a cell with the state that it had at another server. Identities continue
 * after the rows, by `continueIdentities`.
 */
export async function insertState(
  tx: Tx,
  schema: string,
  { rows, position, isUsed }: CellState,
): Promise<void> {
  const inserts = ownTables.map(
    (table) => `
      ${table}_rows as (
        insert into ${schema}.${table}
        select *
        from json_populate_recordset(null::${schema}.${table}, ($3::json->>'${table}')::json)
      )`,
  );
  // One statement, because writes of the cell wait for it.
  await tx.query(
    `with ${inserts.join(',')}
     select setval('${schema}.transfers_id_seq', $1::bigint, $2::boolean)`,
    [position, isUsed, rows],
  );
}

/** Returns statements that make identities continue after the rows of the tables of a cell. */
export async function continueIdentities(sql: Sql, schema: string): Promise<readonly string[]> {
  const rows = await sql.query<{ statement: string }>(
    `select format(
       'select setval(pg_get_serial_sequence(%L, %L), (select coalesce(max(%I), 0) + 1 from %s), false)',
       c.oid::regclass, a.attname, a.attname, c.oid::regclass
     ) as statement
     from pg_class c
     join pg_attribute a on a.attrelid = c.oid
     where c.relnamespace = $2::regnamespace
     and c.relname = any($1)
     and a.attidentity <> ''`,
    [ownTables, schema],
  );
  return rows.map(({ statement }) => statement);
}

/** It continues after the ids that were given before the installation was distributed. */
async function sequenceOf(coordinator: Sql, number: number): Promise<string> {
  const [row] = await coordinator.query<{ start: bigint }>(
    `select (coalesce(pg_sequence_last_value('public.transfers_id_seq'), 0) / $1 + 1) * $1 + $2 as start`,
    [CELLS_MAX, number],
  );
  return `create sequence transfers_id_seq increment by ${CELLS_MAX} start with ${row?.start}`;
}

/** With the columns of the system that statements name. */
async function viewsOfShards(coordinator: Sql, number: number): Promise<string[]> {
  const rows = await coordinator.query<{ statement: string }>(
    `select format(
       'create view %I as select t.*, t.xmin, t.ctid, t.tableoid from public.%I t',
       relname,
       relname || '_' || shardid
     ) as statement
     from (
       select
         c.relname,
         s.shardid,
         s.shardminvalue is null as is_reference,
         row_number() over (partition by c.oid order by s.shardminvalue::bigint) - 1 as number
       from pg_dist_shard s
       join pg_class c on c.oid = s.logicalrelid
       join citus_tables t on t.table_name = c.oid::regclass
       where t.citus_table_type in ('distributed', 'reference')
     ) as shards
     where is_reference or number = $1`,
    [number],
  );
  return rows.map(({ statement }) => statement);
}

/** Defaults of a table do not apply to a view of it. Identities of a node have their own range. */
const defaultsOfViews = `
  select format(
    'alter view %I alter column %I set default %s',
    v.relname,
    a.attname,
    case
      when a.attidentity = '' then pg_get_expr(d.adbin, d.adrelid)
      else format(
        'nextval(%L)',
        coalesce(
          to_regclass(format('%I.%I', $1::text, t.relname || '_' || a.attname || '_seq'))::text,
          pg_get_serial_sequence(format('public.%I', t.relname), a.attname)
        )
      )
    end
  ) as statement
  from pg_class v
  join pg_class t
    on t.relname = v.relname
    and t.relnamespace = 'public'::regnamespace
  join pg_attribute a
    on a.attrelid = t.oid
    and a.attnum > 0
    and a.attgenerated = ''
  left join pg_attrdef d
    on d.adrelid = t.oid
    and d.adnum = a.attnum
  where v.relkind = 'v'
  and v.relnamespace = $1::text::regnamespace
  and (d.oid is not null or a.attidentity <> '')`;

/** Tables of the cell with the columns, keys and indexes of those at the coordinator. */
async function tablesOfCell(coordinator: Sql, schema: string): Promise<string[]> {
  const tables = await coordinator.query<{ statement: string }>(
    `select format(
       'create table %I.%I (%s)',
       $2::text,
       c.relname,
       string_agg(
         format(
           '%I %s%s%s',
           a.attname,
           format_type(a.atttypid, a.atttypmod),
           case when a.attnotnull then ' not null' end,
           case
             when a.attidentity <> '' then ' generated by default as identity'
             when d.oid is not null then ' default ' || pg_get_expr(d.adbin, d.adrelid)
           end
         ),
         ', ' order by a.attnum
       )
     ) as statement
     from pg_class c
     join pg_attribute a
       on a.attrelid = c.oid
       and a.attnum > 0
       and not a.attisdropped
     left join pg_attrdef d
       on d.adrelid = c.oid
       and d.adnum = a.attnum
     where c.oid::regclass::text = any($1)
     group by c.relname`,
    [ownTables, schema],
  );
  const keys = await coordinator.query<{ statement: string }>(
    `select format('alter table %I.%s add %s', $2::text, conrelid::regclass, pg_get_constraintdef(oid)) as statement
     from pg_constraint
     where contype = 'p'
     and conrelid::regclass::text = any($1)`,
    [ownTables, schema],
  );
  const indexes = await coordinator.query<{ statement: string }>(
    `select replace(pg_get_indexdef(indexrelid), ' ON public.', format(' ON %I.', $2::text)) as statement
     from pg_index
     where not indisprimary
     and indrelid::regclass::text = any($1)`,
    [ownTables, schema],
  );
  return [...[...tables, ...keys, ...indexes].map(({ statement }) => statement)];
}

/** In the order in which they were created. */
async function copiesOfViews(coordinator: Sql): Promise<string[]> {
  const rows = await coordinator.query<{ statement: string }>(
    `select format('create view %I as %s', c.relname, pg_get_viewdef(c.oid)) as statement
     from pg_class c
     where c.relkind = 'v'
     and c.oid::regclass::text = any($1)
     order by c.oid`,
    [['wallets', 'attempts', 'provider_answers']],
  );
  return rows.map(({ statement }) => statement);
}
