/** The SQL of how far purchases are in the segments of the search. */
import type { Sql, Tx } from '../../db/database.ts';
import { readSetting } from '../../db/setting-store.ts';

const settingName = 'search_progress';

/**
 * Of outcomes by their time, as the database writes a time: those from `from` on and before `upTo`
 * are in segments.
 */
export type Progress = { readonly from: string; readonly upTo: string };

type Stored = { readonly from: string; readonly up_to: string };

/** Everything from the beginning is in segments. */
export const beginning = '-infinity';

export async function readProgress(sql: Sql): Promise<Progress> {
  return parseProgress(await readSetting(sql, settingName));
}

/** The time as one of JavaScript. */
export async function readTime(sql: Sql, time: string): Promise<Date | undefined> {
  const [row] = await sql.query<{ at: Date }>('select $1::timestamptz as at', [time]);
  return row?.at;
}

/** Locked to the end of the transaction. Undefined where another process has it. */
export async function takeProgress(tx: Tx): Promise<Progress | undefined> {
  const [row] = await tx.query<{ value: string }>(
    'select value from settings where name = $1 for update skip locked',
    [settingName],
  );
  return row && parseProgress(row.value);
}

export async function writeProgress(tx: Tx, { from, upTo }: Progress): Promise<void> {
  const stored: Stored = { from, up_to: upTo };
  await tx.query('update settings set value = $2 where name = $1', [settingName, JSON.stringify(stored)]);
}

function parseProgress(text: string | undefined): Progress {
  if (text === undefined) return { from: beginning, upTo: beginning };
  const { from, up_to: upTo } = JSON.parse(text) as Stored;
  return { from, upTo };
}

/**
 * Before this time no outcome comes any more: each has the time at which its transaction began.
 * What ends a purchase is over within two minutes; so one that only looks, for hours, holds nothing
 * up.
 *
 * Where the database's clock was set back, `upTo` is moved back too: what has been stamped since
 * is before the old one. Some purchases are then taken twice, which changes nothing.
 */
export async function findSettledTime(
  tx: Tx,
  upTo: string,
): Promise<{ readonly settled: string; readonly upTo: string }> {
  const [row] = await tx.query<{ settled: string; up_to: string }>(
    `select
       settled::text as settled,
       (case when $1::timestamptz > now() then now() - interval '2 minutes' else $1::timestamptz end)::text as up_to
     from (
       select greatest(
         now() - interval '2 minutes',
         least(
           now() - interval '1 second',
           (
             select min(xact_start)
             from pg_stat_activity
             where datname = current_database()
             and backend_type = 'client backend'
             and pid <> pg_backend_pid()
           )
         )
       ) as settled
     ) as activity`,
    [upTo],
  );
  return { settled: row?.settled ?? upTo, upTo: row?.up_to ?? upTo };
}

/** How many outcomes have a time in a span, `most` at most; and the span's end as a time. */
export async function countSpan(
  tx: Tx,
  span: { readonly from: string; readonly to: string },
  most: number,
): Promise<number> {
  const [row] = await tx.query<{ count: number }>(
    `select count(*)::integer as count
     from (
       select
       from vend_outcomes
       where at >= $1
       and at < $2
       limit $3
     ) as found`,
    [span.from, span.to, most],
  );
  return row?.count ?? 0;
}

/** A time so many milliseconds after another, or before it, but not past `bound`. */
export async function moveTime(
  tx: Tx,
  time: string,
  byMs: number,
  bound: string | undefined,
): Promise<string> {
  const [row] = await tx.query<{ time: string }>(
    `select (case
       when $2::double precision < 0 then $1::timestamptz + $2 * interval '1 millisecond'
       else least($1::timestamptz + $2 * interval '1 millisecond', $3::timestamptz)
     end)::text as time`,
    [time, byMs, bound ?? null],
  );
  return row?.time ?? time;
}

/** About how many transfers there have ever been. */
export async function countTransfers(tx: Tx): Promise<bigint> {
  const [row] = await tx.query<{ count: bigint }>(
    "select coalesce(pg_sequence_last_value(pg_get_serial_sequence('transfers', 'id')::regclass), 0) as count",
  );
  return row?.count ?? 0n;
}
