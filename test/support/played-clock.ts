/**
 * A database whose rows get their times from a clock that the test sets, so a day is simulated in
 * minutes by the gateway's own functions. Only the defaults of columns and `booking_time` are
 * changed.
 */
import type { Database, Sql } from '../../src/db/database.ts';

/** Columns whose default is a time. */
export const playedColumns: readonly (readonly [table: string, column: string])[] = [
  'deposits.created_at',
  'deposit_assignments.assigned_at',
  'further_answers.at',
  'further_attempts.started_at',
  'merchants.created_at',
  'pending_purchases.created_at',
  'purchase_refunds.at',
  'purchases.stored_at',
  'vouchers.issued_at',
].map((name) => name.split('.') as [string, string]);

export type PlayedClock = {
  set(at: Date): Promise<void>;
  /** The database has its own time again. */
  stop(): Promise<void>;
};

/** The times of outcomes and transfers come from this SQL expression. */
export async function playBookingTime(sql: Sql, expression: string): Promise<void> {
  await sql.query(`
    create or replace function booking_time() returns timestamptz language plpgsql
      set enable_seqscan = off as
      $$ begin return ${expression}; end $$`);
}

export async function stopBookingTime(sql: Sql): Promise<void> {
  await playBookingTime(sql, 'greatest(clock_timestamp(), (select max(at) from roll_up_checkpoints))');
}

/** The end of the rolled-up time. Nothing may be stored before it. */
export async function beginRollUpAt(sql: Sql, at: Date): Promise<void> {
  await sql.query('delete from roll_up_checkpoints');
  await sql.query('insert into roll_up_checkpoints (at) values ($1)', [at]);
}

export function ownDefault(table: string): string {
  return table === 'further_answers' ? 'clock_timestamp()' : 'now()';
}

export async function playClock(database: Database): Promise<PlayedClock> {
  await database.query(`
    create table played_clock (at timestamptz not null, set_at timestamptz not null);
    insert into played_clock values (now(), now());
    create function played_now() returns timestamptz language sql volatile as 'select at from played_clock'`);
  for (const [table, column] of playedColumns)
    await database.query(`alter table ${table} alter column ${column} set default played_now()`);
  await playBookingTime(database, '(select at + (clock_timestamp() - set_at) from played_clock)');
  return {
    set: async (at) => {
      await database.query('update played_clock set at = $1, set_at = clock_timestamp()', [at]);
    },
    stop: async () => {
      for (const [table, column] of playedColumns)
        await database.query(`alter table ${table} alter column ${column} set default ${ownDefault(table)}`);
      await stopBookingTime(database);
      await database.query(`
        drop function played_now();
        drop table played_clock`);
    },
  };
}
