/**
 * SQL that distributes the tables of an installation by merchant over the workers of Citus. What
 * has the merchant in every key is distributed; what such tables refer to, and what a cell reads,
 * is a reference table, of which each node has a copy; all else stays on the coordinator.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql, Tx } from '../../db/database.ts';
import type { MigrationTerms } from '../../db/migrate.ts';

const functionsFolder = join(import.meta.dirname, '..', '..', '..', 'migrations', 'functions');

/** Returns the text of a function of the schema. */
export function readFunction(name: string): string {
  return readFileSync(join(functionsFolder, `${name}.sql`), 'utf8');
}

/** Tables without the merchant in their key that a cell reads. */
const readByCells = ['billers', 'credentials', 'deposits', 'gift_card_plans', 'products', 'users'];

/** Tables with the merchant in every key that are read with tables of the coordinator. */
const ofCoordinator = [
  'alike_orders',
  'funding_currencies',
  'funding_documents',
  'funding_identities',
  'merchant_products',
  'mtn_lines',
  'report_refunds',
  'report_sales',
  'report_times',
  'sale_losses',
];

export type Distribution = {
  readonly distributed: readonly string[];
  readonly references: readonly string[];
  /**
   * Foreign keys of tables that stay on the coordinator to others. With them Citus would plan every
   * statement on these tables. They are dropped.
   */
  readonly dropped: readonly string[];
  /** The rows that were moved. */
  readonly rows: bigint;
};

type ForeignKey = { table: string; name: string; definition: string; isOfCells: boolean };

/**
 * Distributes all tables in one transaction: a process that dies leaves them as they were. Rejects
 * if the rows of a table are not the same afterwards.
 */
export async function distribute(tx: Tx, cells: number): Promise<Distribution> {
  await tx.query(`${termsOfCitus}; set local citus.shard_count = ${cells}`);
  const distributed = await findDistributable(tx);
  const references = await findReferenced(tx, distributed);
  const all = [...distributed, ...references];
  await tx.query(`lock table ${all.join(', ')} in exclusive mode`);
  const before = await readFingerprints(tx, all);
  const dropped = await distributeTables(tx, distributed, references);
  // Citus copies functions to the workers that are created after it knows their tables.
  for (const file of readdirSync(functionsFolder)) {
    await tx.query(readFileSync(join(functionsFolder, file), 'utf8'));
  }
  await createFunctionsAtCells(tx);
  await commitInTwoPhases(tx);
  // The roll-up of the cells locks another row, so that only it moves the checkpoint.
  await tx.query("update settings set name = 'roll_up_of_cells' where name = 'roll_up'");
  const after = await readFingerprints(tx, all);
  for (const [table, { rows, hash }] of before) {
    const now = after.get(table);
    if (now?.rows !== rows || now.hash !== hash) {
      throw new Error(`${table} had ${rows} rows and has ${now?.rows} others now: nothing was distributed`);
    }
  }
  return {
    distributed,
    references,
    dropped,
    rows: [...before.values()].reduce((sum, { rows }) => sum + rows, 0n),
  };
}

const termsOfCitus =
  'set local citus.multi_shard_modify_mode = sequential; set local citus.enable_unsafe_triggers = on';

/** Comments, texts and bodies of functions may contain semicolons. */
const statement = /(?:--.*|'[^']*'|\$(\w*)\$[\s\S]*?\$\1\$|[^;])+/g;

const isCreateTable = /^(?:\s|--.*)*create table\b/;

/**
 * How a migration changes a distributed installation: statement by statement, because Citus would
 * send the text of all to the workers with each of them. Tables are created as if there was no
 * Citus, which refuses their foreign keys, and distributed before they get rows.
 */
export const migrationTerms: MigrationTerms = {
  run: async (tx, text) => {
    await tx.query(termsOfCitus);
    for (const one of statementsOf(text)) {
      if (!isCreateTable.test(one)) {
        await tx.query(one);
        continue;
      }
      await tx.query('set local citus.enable_ddl_propagation = off');
      await tx.query(one);
      await tx.query('set local citus.enable_ddl_propagation = on');
      await distributeNew(tx);
    }
  },
  complete: async (tx) => {
    await tx.query(termsOfCitus);
    await createFunctionsAtCells(tx);
  },
  functions: ['post_transfers.sql'],
};

/** The statements of a migration, each with the comments before it. */
export function statementsOf(text: string): readonly string[] {
  return text.match(statement) ?? [];
}

/** Distributes the tables that a migration has created. */
async function distributeNew(tx: Tx): Promise<void> {
  const distributed = await findDistributable(tx);
  const known = await tx.query<{ name: string }>(`
    select logicalrelid::text as name
    from pg_dist_partition`);
  const isNew = (table: string): boolean => !known.some(({ name }) => name === table);
  const references = await findReferenced(tx, distributed);
  await distributeTables(tx, distributed.filter(isNew), references.filter(isNew));
}

/**
 * Distributes tables, the first of which has none to be with if it is that of purchases. Returns
 * the foreign keys of other tables to them, which are dropped.
 */
async function distributeTables(
  tx: Tx,
  distributed: readonly string[],
  references: readonly string[],
): Promise<string[]> {
  const keys = await findForeignKeys(tx, [...distributed, ...references]);
  for (const { table, name } of keys) await tx.query(`alter table ${table} drop constraint ${name}`);
  for (const table of references) await tx.query(`select create_reference_table('${table}')`);
  for (const table of distributed) {
    const with_ = table === 'purchases' ? 'none' : 'purchases';
    await tx.query(`select create_distributed_table('${table}', 'merchant_id', colocate_with => '${with_}')`);
  }
  for (const { table, name, definition, isOfCells } of keys) {
    if (isOfCells) await tx.query(`alter table ${table} add constraint ${name} ${definition}`);
  }
  return keys.filter(({ isOfCells }) => !isOfCells).map(({ name }) => name);
}

const cellOf = `
  create or replace function cell_schema_of(p_merchant_id integer) returns text
  language sql
  as $$
    select 'oja_cell_' || s.number
    from (
      select shardid, row_number() over (order by shardminvalue::bigint) - 1 as number
      from pg_dist_shard
      where logicalrelid = 'public.purchases'::regclass
    ) as s
    where s.shardid = get_shard_id_for_distribution_column('public.purchases', p_merchant_id)
  $$`;

/**
 * Functions that differ where tables are distributed, or are only there. Citus runs them at the
 * node of the merchant, in the transaction of the caller, and each works on the schema of the cell.
 * So transfers get their ids where purchases get theirs.
 */
const functionsAtCells = new Map([
  [
    'post_transfers(p_merchant_id integer, p_wallet_id bigint, p_subject_id uuid, p_memo text, p_transfers json)',
    `returns void language plpgsql as $$
     declare
       v_path text := current_setting('search_path');
       v_cell text := cell_schema_of(p_merchant_id);
     begin
       perform set_config('search_path', v_cell || ', public', true);
       execute format('select %I.post_transfers($1, $2, $3, $4, $5)', v_cell)
       using p_merchant_id, p_wallet_id, p_subject_id, p_memo, p_transfers;
       perform set_config('search_path', v_path, true);
     end
     $$`,
  ],
  [
    // Rows that the cell leaves for all. Its alarms stay there too, because each is raised once.
    'take_rows(p_merchant_id integer, p_table text, p_limit integer)',
    `returns setof json language plpgsql as $$
     begin
       return query execute format(
         case p_table
           when 'alarms' then 'update %1$I.%2$I t set ended_at = now() where t.ctid = any(array(
             select ctid from %1$I.%2$I where ended_at is null order by id limit $1 for update skip locked
           )) returning to_json(t)'
           else 'delete from %1$I.%2$I t where t.ctid = any(array(
             select ctid from %1$I.%2$I order by id limit $1 for update skip locked
           )) returning to_json(t)'
         end,
         cell_schema_of(p_merchant_id),
         p_table
       )
       using p_limit;
     end
     $$`,
  ],
]);

async function createFunctionsAtCells(tx: Tx): Promise<void> {
  await tx.query(cellOf);
  for (const [signature, body] of functionsAtCells) {
    await tx.query(`create or replace function ${signature} ${body}`);
    const types = signature.replaceAll(/\bp_\w+ /g, '');
    await tx.query(
      `select create_distributed_function('${types}', 'p_merchant_id', colocate_with => 'purchases', force_delegation => true)`,
    );
  }
}

/** Tables of the coordinator that are changed in one transaction with a cell. */
const changedWithCells = [
  ...['alarms', 'audit_log', 'deposit_assignments', 'house_deltas', 'operation_keys'],
  'reconciliation_differences',
];

/**
 * Citus prepares a transaction at a worker only if it knows that another server is changed too.
 * Otherwise it commits there first, and a coordinator that dies then has lost its part. So a change
 * of a table of the coordinator also touches one that Citus knows.
 */
async function commitInTwoPhases(tx: Tx): Promise<void> {
  await tx.query('create table two_phase_commits (id integer not null primary key)');
  await tx.query("select citus_add_local_table_to_metadata('two_phase_commits')");
  await tx.query(`
    create function commit_in_two_phases() returns trigger
    language plpgsql
    as $$
    begin
      delete from two_phase_commits where id = 0;
      return null;
    end
    $$`);
  for (const table of changedWithCells) {
    await tx.query(`
      create trigger ${table}_two_phases
        after insert or update or delete on ${table}
        for each statement execute function commit_in_two_phases()`);
  }
}

/** The number of rows of each table, and a hash of all their values. */
async function readFingerprints(
  tx: Tx,
  tables: readonly string[],
): Promise<Map<string, { readonly rows: bigint; readonly hash: string }>> {
  const columns = await tx.query<{ table: string; columns: string }>(
    `select attrelid::regclass::text as table, string_agg(quote_ident(attname), ', ' order by attnum) as columns
     from pg_attribute
     where attrelid::regclass::text = any($1)
     and attnum > 0
     and not attisdropped
     group by attrelid`,
    [tables],
  );
  const found = new Map<string, { readonly rows: bigint; readonly hash: string }>();
  for (const { table, columns: names } of columns) {
    const [row] = await tx.query<{ rows: bigint; hash: string }>(
      `select count(*) as rows, coalesce(sum(hash_record_extended(row(${names}), 0)::numeric), 0)::text as hash
       from ${table}`,
    );
    if (row !== undefined) found.set(table, row);
  }
  return found;
}

async function findDistributable(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `select c.relname as name
     from pg_class c
     join pg_attribute a
       on a.attrelid = c.oid
       and a.attname = 'merchant_id'
       and a.attnotnull
     where c.relkind = 'r'
     and c.relnamespace = 'public'::regnamespace
     and c.relname <> all($1)
     and not exists (
       select from pg_index i
       where i.indrelid = c.oid
       and i.indisunique
       and a.attnum <> all(i.indkey)
     )
     order by c.relname = 'purchases' desc, c.relname`,
    [ofCoordinator],
  );
  return rows.map(({ name }) => name);
}

async function findReferenced(sql: Sql, distributed: readonly string[]): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(
    `with recursive referenced as (
       select to_regclass(t.name)::oid as oid, false as is_reference
       from unnest($1::text[]) as t(name)
       union
       select to_regclass(t.name)::oid, true
       from unnest($2::text[]) as t(name)
       union
       select f.confrelid, true
       from referenced r
       join pg_constraint f
         on f.conrelid = r.oid
         and f.contype = 'f'
     )
     select distinct oid::regclass::text as name
     from referenced
     where is_reference
     and oid::regclass::text <> all($1)
     order by name`,
    [distributed, readByCells],
  );
  return rows.map(({ name }) => name);
}

async function findForeignKeys(sql: Sql, tables: readonly string[]): Promise<ForeignKey[]> {
  return await sql.query<ForeignKey>(
    `select
       conrelid::regclass::text as table,
       conname as name,
       pg_get_constraintdef(oid) as definition,
       conrelid::regclass::text = any($1) as "isOfCells"
     from pg_constraint
     where contype = 'f'
     and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))`,
    [tables],
  );
}
