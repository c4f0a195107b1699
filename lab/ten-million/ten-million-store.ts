/**
 * The SQL of the ten-million run: simulated times, the progress of the load, the merchants, and the
 * queries of the measurement.
 */

import type { Environment } from '../../src/core/environment.ts';
import type { Sql } from '../../src/db/database.ts';
import {
  ownDefault,
  playBookingTime,
  playedColumns,
  stopBookingTime,
} from '../../test/support/played-clock.ts';

const played = [...playedColumns, ['events', 'at']] as const;
const setting = 'oja_bench.at';

/**
 * From now on rows get the simulated time of their session, so that writers need not share a clock.
 */
export async function beginPlaying(sql: Sql): Promise<void> {
  for (const [table, column] of played) {
    await sql.query(
      `alter table ${table} alter column ${column}
       set default coalesce(nullif(current_setting('${setting}', true), '')::timestamptz, now())`,
    );
  }
  const at = `nullif(current_setting('${setting}', true), '')::timestamptz`;
  await playBookingTime(sql, `coalesce(${at}, clock_timestamp())`);
}

export async function endPlaying(sql: Sql): Promise<void> {
  for (const [table, column] of played)
    await sql.query(`alter table ${table} alter column ${column} set default ${ownDefault(table)}`);
  await stopBookingTime(sql);
}

/** For this session only. */
export async function setTime(sql: Sql, at: Date): Promise<void> {
  await sql.query({ name: 'set_played_time', text: `select set_config('${setting}', $1, false)` }, [
    at.toISOString(),
  ]);
}

export type Progress = {
  readonly rounds: number;
  /** The times of the first and the last purchase. */
  readonly begin: Date;
  readonly end: Date;
  readonly seconds: number;
  readonly isCaughtUp: boolean;
};

/** For a load that has begun. */
export async function readProgress(sql: Sql): Promise<Progress | undefined> {
  const [table] = await sql.query("select from pg_class where relname = 'bench_progress'");
  if (table === undefined) return undefined;
  const [row] = await sql.query<Progress>(
    'select rounds, begin_at as begin, end_at as "end", seconds, caught_up as "isCaughtUp" from bench_progress',
  );
  return row;
}

export async function insertProgress(sql: Sql, begin: Date, end: Date): Promise<void> {
  await sql.query(`
    create table bench_progress (
      rounds integer not null,
      begin_at timestamptz not null,
      end_at timestamptz not null,
      seconds float8 not null,
      caught_up boolean not null
    )`);
  await sql.query('insert into bench_progress values (0, $1, $2, 0, false)', [begin, end]);
}

export async function noteRound(sql: Sql, seconds: number): Promise<void> {
  await sql.query(
    'update bench_progress set rounds = rounds + 1, seconds = seconds + $1, caught_up = false',
    [seconds],
  );
}

export async function noteCaughtUp(sql: Sql): Promise<void> {
  await sql.query('update bench_progress set caught_up = true');
}

/** The wallets of the merchants that `openWallets` made, in the order of their codes. */
export async function findWallets(sql: Sql): Promise<
  {
    readonly merchantId: number;
    readonly code: string;
    readonly environment: Environment;
    readonly walletId: bigint;
    readonly credentialId: string;
  }[]
> {
  return await sql.query(
    `select
       m.id as "merchantId",
       m.code,
       w.environment,
       w.account_id as "walletId",
       c.key_id as "credentialId"
     from merchants m
     join wallet_owners w
       on w.merchant_id = m.id
       and w.currency = 'NGN'
     join credentials c
       on c.merchant_id = m.id
       and c.environment = w.environment
     where m.code like 'BENCH-%'
     order by m.id, w.environment desc`,
  );
}

export type Sample = {
  readonly id: string;
  readonly reference: string;
  readonly msisdn: string;
  /** The id of its first transfer. */
  readonly place: bigint;
};

/**
 * Purchases of a merchant from all over its history, oldest first: those next to so many moments.
 */
export async function samplePurchases(
  sql: Sql,
  merchantId: number,
  environment: Environment,
  ids: readonly string[],
): Promise<Sample[]> {
  return await sql.query(
    `select distinct on (v.id) v.id, v.reference, v.msisdn, t.place
     from unnest($3::uuid[]) as moment(id)
     cross join lateral (
       select v.id, v.reference, v.msisdn
       from purchases v
       where v.merchant_id = $1
       and v.environment = $2
       and v.id >= moment.id
       order by v.id
       limit 1
     ) v
     cross join lateral (
       select min(t.id) as place
       from transfers t
       where t.merchant_id = $1
       and t.subject_id = v.id
     ) t
     where t.place is not null
     order by v.id`,
    [merchantId, environment, ids],
  );
}

/** The position after which the feed of a merchant's environment has this many purchases. */
export async function findFeedEnd(
  sql: Sql,
  merchantId: number,
  environment: Environment,
  purchases: number,
): Promise<bigint> {
  const [end] = await sql.query<{ place: bigint }>(
    `select t.id as place
     from transfers t
     join purchases v
       on v.merchant_id = t.merchant_id
       and v.environment = $2
       and v.id = t.subject_id
     where t.merchant_id = $1
     and t.code = 'purchase_cost'
     order by t.id desc
     limit 1
     offset $3`,
    [merchantId, environment, purchases],
  );
  return end?.place ?? 0n;
}

export type TableSize = { readonly name: string; readonly heap: number; readonly indexes: number };

/** In bytes; data stored beside a table counts as its heap. */
export async function readTableSizes(sql: Sql): Promise<TableSize[]> {
  return await sql.query(
    `select
       relname as name,
       pg_table_size(relid)::float8 as heap,
       pg_indexes_size(relid)::float8 as indexes
     from pg_stat_user_tables
     order by pg_total_relation_size(relid) desc`,
  );
}

/** For all merchants and both environments. */
export async function countAccepted(sql: Sql): Promise<number> {
  const [row] = await sql.query<{ count: bigint }>(
    `select (
       select coalesce(sum(count), 0)::bigint from purchase_counts where status = 'accepted'
     ) + (
       select coalesce(sum(count), 0)::bigint from purchase_count_deltas where status = 'accepted'
     ) as count`,
  );
  return Number(row?.count ?? 0n);
}
