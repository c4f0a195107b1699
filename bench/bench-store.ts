/**
 * The SQL of the benchmark itself: its databases, the baseline, and its reads of the gateway's
 * tables.
 */
import type { Database, Sql } from '../src/db/database.ts';

/** The name is ours, never input. */
export async function createDatabase(sql: Sql, name: string): Promise<void> {
  await sql.query(`create database ${name}`);
}

export async function hasDatabase(sql: Sql, name: string): Promise<boolean> {
  return (await sql.query('select from pg_database where datname = $1', [name])).length > 0;
}

export async function dropDatabase(sql: Sql, name: string): Promise<void> {
  await sql.query(`drop database if exists ${name} with (force)`);
}

/** All data in memory is written to disk. */
export async function writeOut(sql: Sql): Promise<void> {
  await sql.query('checkpoint');
}

export async function readServerSettings(sql: Sql): Promise<{ version: string } & Record<string, string>> {
  const [row] = await sql.query<{ version: string } & Record<string, string>>(`
    select
      current_setting('server_version') as version,
      current_setting('fsync') as fsync,
      current_setting('synchronous_commit') as synchronous_commit,
      current_setting('shared_buffers') as shared_buffers`);
  if (row === undefined) throw new Error('a select of constants gives a row');
  return row;
}

/** One wallet row that every transaction updates, and the table each inserts into. */
export async function createBaseline(database: Database): Promise<void> {
  await database.query(`
    create table wallets (
      id bigint primary key,
      posted bigint not null
    ) with (fillfactor = 50);

    create table entries (
      id bigint generated always as identity primary key,
      wallet_id bigint not null,
      amount bigint not null,
      created_at timestamptz not null default now()
    );

    insert into wallets (id, posted)
    values (1, 0);

    create function move(p_wallet_id bigint, p_amount bigint) returns void
    language plpgsql
    as $$
    begin
      update wallets
      set posted = posted - p_amount
      where id = p_wallet_id;
      insert into entries (wallet_id, amount)
      values (p_wallet_id, p_amount);
    end
    $$;`);
}

/** The straightforward way: begin, update, insert, commit, each awaited. */
export async function moveInFourTrips(database: Database): Promise<void> {
  await database.transaction(async (tx) => {
    await tx.query(
      {
        name: 'baseline_update',
        text: `
          update wallets
          set posted = posted - $2
          where id = $1`,
      },
      [1, 100],
    );
    await tx.query(
      {
        name: 'baseline_insert',
        text: `
          insert into entries (wallet_id, amount)
          values ($1, $2)`,
      },
      [1, 100],
    );
  });
}

/**
 * The same as one prepared statement: one round trip, so the row lock is held for the shortest
 * possible time.
 */
export async function moveInOneTrip(database: Database): Promise<void> {
  await database.query({ name: 'baseline_move', text: 'select move($1, $2)' }, [1, 100]);
}

export async function createRawRows(database: Database): Promise<void> {
  await database.query('create table raw_rows (id bigint generated always as identity, line text not null)');
}

/** One commit of plain rows: no key, no check, no other table. */
export async function insertRawRows(database: Database, lines: readonly string[]): Promise<void> {
  const text = 'insert into raw_rows (line) select line from unnest($1::text[]) as given (line)';
  await database.query({ name: 'raw_rows', text }, [lines]);
}

/** Accepted and final purchases, from the counters: cheap enough to query during a load. */
export async function countPurchases(sql: Sql): Promise<{ accepted: number; final: number }> {
  const [row] = await sql.query<{ accepted: bigint; final: bigint }>(`
    select
      coalesce(sum(count) filter (where status = 'accepted'), 0)::bigint as accepted,
      coalesce(sum(count) filter (where status <> 'accepted'), 0)::bigint as final
    from purchase_counts`);
  return { accepted: Number(row?.accepted ?? 0n), final: Number(row?.final ?? 0n) };
}

export type Growth = {
  /** Tables with their indexes, by name, in bytes. */
  readonly tables: Readonly<Record<string, number>>;
  /** The bytes of the log that were written since the server was created. */
  readonly walBytes: number;
  readonly commits: number;
  readonly inserted: number;
  readonly deleted: number;
  /** The server process that serves this connection. */
  readonly backendPid: number;
};

/**
 * The size and counters of a database. The difference of two is the cost of the work in between.
 */
export async function readGrowth(sql: Sql): Promise<Growth> {
  const [row] = await sql.query<{
    tables: Record<string, number>;
    wal_bytes: number;
    commits: number;
    inserted: number;
    deleted: number;
    backend_pid: number;
  }>(`
    select
      (
        select jsonb_object_agg(relname, pg_total_relation_size(relid))
        from pg_stat_user_tables
      ) as tables,
      (pg_current_wal_lsn() - '0/0'::pg_lsn)::double precision as wal_bytes,
      xact_commit::double precision as commits,
      tup_inserted::double precision as inserted,
      tup_deleted::double precision as deleted,
      pg_backend_pid() as backend_pid
    from pg_stat_database
    where datname = current_database()`);
  if (row === undefined) throw new Error('the database has a row about itself');
  const { wal_bytes: walBytes, backend_pid: backendPid, ...rest } = row;
  return { ...rest, walBytes, backendPid };
}
