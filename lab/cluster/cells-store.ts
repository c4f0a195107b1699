/**
 * The cells of a distributed installation. A cell is one shard of each distributed table, on one
 * worker. Its schema has a view of each shard under the name of the table, so that the unchanged
 * statements and functions of Oja run at the worker, without the planner of Citus.
 */
import { cellSchema } from '../../src/db/cell-schemas.ts';
import type { Database, Sql } from '../../src/db/database.ts';
import type { Cell } from '../../src/db/find-cells.ts';

export type WorkerCell = { readonly number: number; readonly host: string; readonly port: number };

/** What each cell has for itself: it is added up or read by cell. */
const ownTables = ['alarms', 'gateways', 'house_balances', 'house_deltas', 'roll_up_checkpoints'];
const views = ['wallets', 'attempts', 'provider_answers'];

export async function findWorkerCells(coordinator: Sql): Promise<WorkerCell[]> {
  return await coordinator.query<WorkerCell>(`
    select
      (row_number() over (order by s.shardminvalue::bigint) - 1)::integer as number,
      n.nodename as host,
      n.nodeport as port
    from pg_dist_shard s
    join pg_dist_placement p using (shardid)
    join pg_dist_node n using (groupid)
    where s.logicalrelid = to_regclass('public.purchases')
    order by number`);
}

/** Creates the schema of the cell at its worker. */
export async function createCell(coordinator: Sql, worker: Database, cell: WorkerCell): Promise<void> {
  const schema = cellSchema(cell.number);
  const statements = [
    `create schema ${schema}`,
    `set local search_path = ${schema}, public`,
    ...(await viewsOfShards(coordinator, cell)),
    ...(await tablesOfCell(coordinator, schema)),
    ...(await copiesOfViews(coordinator)),
  ];
  await worker.transaction(async (tx) => {
    await tx.query('set local citus.enable_ddl_propagation = off');
    for (const statement of statements) await tx.query(statement);
    for (const { statement } of await tx.query<{ statement: string }>(defaultsOfViews, [schema])) {
      await tx.query(statement);
    }
  });
}

/** With the columns of the system that statements name. */
async function viewsOfShards(coordinator: Sql, cell: WorkerCell): Promise<string[]> {
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
    [cell.number],
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
      else format('nextval(%L)', pg_get_serial_sequence(format('public.%I', t.relname), a.attname))
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
  and v.relnamespace = $1::regnamespace
  and (d.oid is not null or a.attidentity <> '')`;

async function tablesOfCell(coordinator: Sql, schema: string): Promise<string[]> {
  const rows = await coordinator.query<{ statement: string }>(
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
             when a.attidentity <> '' then ' generated always as identity'
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
  const begin = `insert into ${schema}.roll_up_checkpoints values ('-infinity')`;
  return [...[...rows, ...keys].map(({ statement }) => statement), begin];
}

async function copiesOfViews(coordinator: Sql): Promise<string[]> {
  const rows = await coordinator.query<{ statement: string }>(
    `select format('create view %I as %s', c.relname, pg_get_viewdef(c.oid)) as statement
     from pg_class c
     where c.relkind = 'v'
     and c.oid::regclass::text = any($1)`,
    [views],
  );
  return rows.map(({ statement }) => statement);
}

/** The cells, with the user and the database of the coordinator's address. */
export async function findCells(coordinator: Sql, url: string): Promise<readonly Cell[]> {
  return (await findWorkerCells(coordinator)).map((cell) => ({
    number: cell.number,
    schema: cellSchema(cell.number),
    connectionString: atNode(url, cell),
  }));
}

/** Returns the same address at another server. */
export function atNode(url: string, { host, port }: Pick<WorkerCell, 'host' | 'port'>): string {
  const address = new URL(url);
  address.hostname = host;
  address.port = String(port);
  return address.href;
}

/** The cell of each merchant, by id. */
export async function findCellsOf(
  coordinator: Sql,
  merchants: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const rows = await coordinator.query<{ merchant: number; cell: number }>(
    `select m.id as merchant, s.number::integer as cell
     from unnest($1::integer[]) as m(id)
     join (
       select shardid, row_number() over (order by shardminvalue::bigint) - 1 as number
       from pg_dist_shard
       where logicalrelid = 'purchases'::regclass
     ) as s on s.shardid = get_shard_id_for_distribution_column('purchases', m.id)`,
    [merchants],
  );
  return new Map(rows.map(({ merchant, cell }) => [merchant, cell]));
}
