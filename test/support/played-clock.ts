/**
 * A database whose rows get their times from a clock that the test sets: so a day is played in
 * minutes, by the gateway's own functions. Only the defaults of columns are changed.
 */
import type { Database } from '../../src/db/database.ts';

/** Columns whose default is the start of the transaction. */
export const playedColumns: readonly (readonly [table: string, column: string])[] = [
  'attempts.started_at',
  'deposits.created_at',
  'deposit_assignments.assigned_at',
  'merchants.created_at',
  'pending_vends.created_at',
  'provider_answers.at',
  'vend_outcomes.at',
  'vend_refunds.at',
  'vouchers.issued_at',
].map((name) => name.split('.') as [string, string]);

export type PlayedClock = {
  set(at: Date): Promise<void>;
  /** The database has its own time again. */
  stop(): Promise<void>;
};

export async function playClock(database: Database): Promise<PlayedClock> {
  await database.query(`
    create table played_clock (at timestamptz not null, set_at timestamptz not null);
    insert into played_clock values (now(), now());
    create function played_now() returns timestamptz language sql volatile as 'select at from played_clock';
    create function played_clock_now() returns timestamptz language sql volatile as
      'select at + (clock_timestamp() - set_at) from played_clock'`);
  for (const [table, column] of playedColumns)
    await database.query(`alter table ${table} alter column ${column} set default played_now()`);
  await database.query('alter table transfers alter column created_at set default played_clock_now()');
  return {
    set: async (at) => {
      await database.query('update played_clock set at = $1, set_at = clock_timestamp()', [at]);
    },
    stop: async () => {
      for (const [table, column] of playedColumns)
        await database.query(`alter table ${table} alter column ${column} set default now()`);
      await database.query(`
        alter table transfers alter column created_at set default clock_timestamp();
        drop function played_now();
        drop function played_clock_now();
        drop table played_clock`);
    },
  };
}
