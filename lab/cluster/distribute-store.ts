/**
 * Distributes the tables of an installation by merchant over the workers of Citus. What has the
 * merchant in every key is distributed; what such tables refer to, and what a cell reads, is a
 * reference table, of which each node has a copy; all else stays on the coordinator.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Sql, Tx } from '../../src/db/database.ts';

const functionsFolder = join(import.meta.dirname, '..', '..', 'migrations', 'functions');

/** Tables without the merchant in their key that a cell reads. */
const readByCells = ['credentials', 'settings'];

export type Distribution = {
  readonly distributed: readonly string[];
  readonly references: readonly string[];
  /** Foreign keys that Citus does not allow. They are dropped. */
  readonly dropped: readonly string[];
};

type ForeignKey = { table: string; name: string; definition: string };

/** Distributes all tables in one transaction: a process that dies leaves them as they were. */
export async function distribute(tx: Tx, cells: number): Promise<Distribution> {
  await tx.query('set local citus.multi_shard_modify_mode = sequential');
  await tx.query('set local citus.enable_unsafe_triggers = on');
  await tx.query(`set local citus.shard_count = ${cells}`);
  const distributed = await findDistributable(tx);
  const references = await findReferenced(tx, distributed);
  const keys = await findForeignKeys(tx, [...distributed, ...references]);
  for (const { table, name } of keys) await tx.query(`alter table ${table} drop constraint ${name}`);
  for (const table of references) await tx.query(`select create_reference_table('${table}')`);
  for (const table of distributed) {
    const with_ = table === distributed[0] ? 'none' : distributed[0];
    await tx.query(`select create_distributed_table('${table}', 'merchant_id', colocate_with => '${with_}')`);
  }
  const dropped: string[] = [];
  for (const { table, name, definition } of keys) {
    await tx.query('savepoint key');
    await tx.query(`alter table ${table} add constraint ${name} ${definition}`).catch(async () => {
      await tx.query('rollback to savepoint key');
      dropped.push(name);
    });
  }
  // Citus copies functions to the workers that are created after it knows their tables.
  for (const file of readdirSync(functionsFolder)) {
    await tx.query(readFileSync(join(functionsFolder, file), 'utf8'));
  }
  return { distributed, references, dropped };
}

async function findDistributable(sql: Sql): Promise<string[]> {
  const rows = await sql.query<{ name: string }>(`
    select c.relname as name
    from pg_class c
    join pg_attribute a
      on a.attrelid = c.oid
      and a.attname = 'merchant_id'
      and a.attnotnull
    where c.relkind = 'r'
    and c.relnamespace = 'public'::regnamespace
    and not exists (
      select from pg_index i
      where i.indrelid = c.oid
      and i.indisunique
      and a.attnum <> all(i.indkey)
    )
    order by c.relname = 'purchases' desc, c.relname`);
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
    `select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
     from pg_constraint
     where contype = 'f'
     and (conrelid::regclass::text = any($1) or confrelid::regclass::text = any($1))`,
    [tables],
  );
}
