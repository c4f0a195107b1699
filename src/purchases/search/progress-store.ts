/** The SQL of the checkpoint: how far `purchase_search` is filled. */
import type { Sql, Tx } from '../../db/database.ts';
import { readSetting } from '../../db/setting-store.ts';

const settingName = 'search_progress';

/**
 * Times of outcomes, as the database writes a time. Outcomes before `upTo` are in the table. A
 * search reads those from `readFrom` on from their own tables. Outcomes between the two are not
 * found.
 */
export type Progress = { readonly upTo: string; readonly readFrom: string };

type Stored = { readonly up_to: string; readonly read_from: string };

/** No outcome is in the table. */
export const beginning = '-infinity';

export async function readProgress(sql: Sql): Promise<Progress> {
  return parseProgress(await readSetting(sql, settingName));
}

/** Converts a time of the database to one of JavaScript. */
export async function readTime(sql: Sql, time: string): Promise<Date | undefined> {
  const [row] = await sql.query<{ at: Date }>('select $1::timestamptz as at', [time]);
  return row?.at;
}

/** Locked until the transaction ends. Undefined if another process has it. */
export async function takeProgress(tx: Tx): Promise<Progress | undefined> {
  const [row] = await tx.query<{ value: string }>(
    'select value from settings where name = $1 for update skip locked',
    [settingName],
  );
  return row && parseProgress(row.value);
}

export async function writeProgress(tx: Tx, { upTo, readFrom }: Progress): Promise<void> {
  const stored: Stored = { up_to: upTo, read_from: readFrom };
  await tx.query('update settings set value = $2 where name = $1', [settingName, JSON.stringify(stored)]);
}

function parseProgress(text: string | undefined): Progress {
  if (text === undefined) return { upTo: beginning, readFrom: beginning };
  const { up_to: upTo, read_from: readFrom } = JSON.parse(text) as Stored;
  return { upTo, readFrom };
}

/**
 * No outcome will be committed with a time before this one: each has the time at which its
 * transaction began. Transactions that end purchases last two minutes at most, so a long read does
 * not hold this back. If the database's clock was set back, `upTo` moves back too, because newer
 * outcomes are stamped before the old one. Some purchases are then copied twice, which changes
 * nothing.
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

/** The time of the first outcome, if there is one. */
export async function findFirstTime(tx: Tx): Promise<string | undefined> {
  const [row] = await tx.query<{ at: string | null }>('select min(at)::text as at from purchase_outcomes');
  return row?.at ?? undefined;
}

/** A period of so many milliseconds, not beyond `settled`, and up to `most` of its outcomes. */
export async function measureSpan(
  tx: Tx,
  { from, widthMs, settled }: { readonly from: string; readonly widthMs: number; readonly settled: string },
  most: number,
): Promise<{ readonly to: string; readonly count: number }> {
  const [row] = await tx.query<{ to: string; count: number }>(
    `select
       s.until::text as "to",
       (
         select count(*)::integer
         from (
           select
           from purchase_outcomes
           where at >= $1
           and at < s.until
           limit $4
         ) as found
       ) as count
     from (
       select greatest(
         $1::timestamptz,
         least($1::timestamptz + $2::double precision * interval '1 millisecond', $3::timestamptz)
       ) as until
     ) as s`,
    [from, widthMs, settled, most],
  );
  return row ?? { to: from, count: 0 };
}

/**
 * The time from which a search reads outcomes themselves: where the table ends, or ten minutes ago
 * while more than `most` outcomes wait.
 */
export async function findReadFrom(tx: Tx, upTo: string, most: number): Promise<string> {
  const [row] = await tx.query<{ readFrom: string }>(
    `select (case
       when $1::timestamptz < now() - interval '10 minutes'
       and $2 < (
         select count(*)
         from (
           select
           from purchase_outcomes
           where at >= $1
           and at < 'infinity'
           limit $2::bigint + 1
         ) as found
       )
       then now() - interval '10 minutes'
       else $1::timestamptz
     end)::text as "readFrom"`,
    [upTo, most],
  );
  return row?.readFrom ?? upTo;
}

/** About how many transfers have ever been made. */
export async function countTransfers(tx: Tx): Promise<bigint> {
  const [row] = await tx.query<{ count: bigint }>(
    "select coalesce(pg_sequence_last_value(pg_get_serial_sequence('transfers', 'id')::regclass), 0) as count",
  );
  return row?.count ?? 0n;
}
