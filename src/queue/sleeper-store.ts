/**
 * The SQL that wakes the items of a leased queue which are due later than anything is ever put off:
 * the clock of the database was set back since. Finds them by the index of what is due.
 */
import type { Sql } from '../db/database.ts';
import type { LeasedQueue } from './leased-queue.ts';
import { AGAIN_MS } from './work-all.ts';

const ROWS_AT_ONCE = 1_000;
/** More tries than these make no pause longer. */
const TRIES_TOLD = 24;
/** The times of a transaction are those of its beginning. */
const SLACK_MS = 60_000;

/**
 * Makes them due. One that a process has in hand counts as expired then, as after any lease. Gives
 * their number. Safe to run anywhere, at any time.
 */
export async function wakeItems<Row extends object, Key extends keyof Row & string>(
  sql: Sql,
  { table, key, longestMs }: LeasedQueue<Row, Key>,
): Promise<number> {
  const bounds = Array.from({ length: TRIES_TOLD + 1 }, (_, tries) => longestMs(tries) + SLACK_MS);
  const rows = await sql.query(
    `with asleep as (
       select ${key.join(', ')}
       from ${table}
       where due_at > now() + $2::bigint * interval '1 millisecond'
       and due_at > now() + interval '1 millisecond' * greatest(
         ($1::bigint[])[least(tries, ${TRIES_TOLD}) + 1],
         -- It may have been set aside.
         case when alarmed_at is not null then $3::bigint end
       )
       order by due_at desc
       limit ${ROWS_AT_ONCE}
       for update skip locked
     )
     update ${table} t
     set due_at = now()
     from asleep
     where ${key.map((name) => `t.${name} = asleep.${name}`).join(' and ')}
     returning 1`,
    [bounds, Math.min(...bounds), AGAIN_MS + SLACK_MS],
  );
  return rows.length;
}
