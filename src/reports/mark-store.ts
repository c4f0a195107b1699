/**
 * The SQL that adds up what purchases, refunds and transfers leave, by Lagos day, in slices of
 * their time.
 */
import { cutTime, type MarkPlace, moveMark, readOldestRunning, sliceOf } from '../db/adding-mark-store.ts';
import type { AddedSlice } from '../db/adding-pace.ts';
import type { Row, Sql, Tx } from '../db/database.ts';

export type ReportMark = {
  /** What is older is the history. */
  readonly beganAt: Date;
  /** The history is added from here on; null: all of it is. */
  readonly historyTo: Date | null;
  /** What is older, and no history, is added. */
  readonly fromAt: Date;
  /** Whether a round is in hand. */
  readonly isInRound: boolean;
  /** What is older was added up before it was counted by slots; null: all is counted. */
  readonly recentFrom: Date | null;
};

/**
 * Undefined where another process has it in hand, unless it is waited for. In another database than
 * it was made in it is set anew.
 */
export async function lockMark(
  tx: Tx,
  { waits }: { readonly waits: boolean },
): Promise<ReportMark | undefined> {
  const [locked] = await tx.query<{ isMoved: boolean }>(
    `select is_moved(made_in, coalesce(cut, seen)) as "isMoved"
     from report_mark
     for update${waits ? '' : ' skip locked'}`,
  );
  if (locked === undefined) return undefined;
  if (locked.isMoved) await moveMark(tx, place);
  return await readMark(tx);
}

/** What it goes through, by time. */
const sources = [
  { table: 'vend_outcomes', column: 'at' },
  { table: 'vend_refunds', column: 'at' },
  { table: 'transfers', column: 'created_at' },
] as const;

const place: MarkPlace = { table: 'report_mark', condition: "$1 = 'report'", name: 'report' };

/** As they are committed now, without a lock. */
export async function readMark(sql: Sql): Promise<ReportMark> {
  const [mark] = await sql.query<ReportMark>(
    `select
       began_at as "beganAt",
       history_to as "historyTo",
       from_at as "fromAt",
       cut is not null as "isInRound",
       nullif(recent_from, '-infinity') as "recentFrom"
     from report_mark`,
  );
  if (mark === undefined) throw new Error('the mark of the reports is there');
  return mark;
}

/**
 * Begins a round: it sees what is committed now. What it does not see is of a transaction that runs
 * now, or of a later one, and so not older than the oldest that runs.
 *
 * After the database's clock was set back, rows are younger than the round before expects.
 *
 * `counting`: a query for what the same moment sees of something else.
 */
export async function beginRound<Counted extends Row>(
  tx: Tx,
  counting: { readonly text: string; readonly values: readonly unknown[] },
): Promise<Counted[]> {
  const oldest = await readOldestRunning(tx);
  return await tx.query<Counted>(
    `with begun as (
       update report_mark
       set
         made_in = database_identity(),
         cut = pg_current_snapshot()::text,
         cut_at = ${cutTime(...sources)},
         cut_keys = null,
         place_at = greatest(
           case when from_at > now() then now() - interval '2 minutes' else from_at end,
           -- What is older than the beginning is the history's.
           case when history_to is not null then began_at end
         ),
         next_from_at = greatest($1::timestamptz, began_at)
     )
     ${counting.text}`,
    [oldest, ...counting.values],
  );
}

export const nothingCounted = { text: 'select', values: [] } as const;

const slicing = sliceOf('$1', "'report'");

/**
 * Adds the next slice of the round in hand, of that length, and moves the mark past it. The last
 * slice is all that is left. Its rows are purchases, refunds and transfers.
 */
export async function addSlice(tx: Tx, seconds: number): Promise<AddedSlice> {
  const [slice] = await tx.query<{ rows: bigint; seconds: number; isLast: boolean }>(
    `with bounds as materialized (
       select ${slicing.bounds}, seen::pg_snapshot as seen, cut::pg_snapshot as cut
       from report_mark
     )
     select ${addedRows('b.end_at')} as rows, b.seconds, b."isLast"
     from bounds b`,
    [seconds],
  );
  if (slice === undefined) throw new Error('the mark of the reports is there');
  await tx.query(
    // The length is a value of both.
    slice.isLast
      ? `update report_mark set ${slicing.endRound} where $1::float8 is not null`
      : `update report_mark set ${slicing.moveOn}`,
    [seconds],
  );
  if (slice.isLast) {
    await tx.query("delete from rows_added_before where mark = 'report'");
    await removeOldSlots(tx);
  }
  return { ...slice, rows: Number(slice.rows) };
}

/** The key begins with the slot: what is to be removed is found at its beginning. */
async function removeOldSlots(tx: Tx): Promise<void> {
  await tx.query("delete from recent_outcomes where slot < now() - interval '25 hours'");
}

function addedRows(end: string): string {
  return ['sales', 'refunds', 'transfers']
    .map((what) => `add_up_report_${what}(b.place_at, ${end}, b.seen, b.cut)`)
    .join(' + ');
}

/**
 * Adds the slice that is the end of what is left of the history. All that wrote it must have ended.
 * Nothing is older than the first merchant.
 */
export async function addHistorySlice(tx: Tx, seconds: number): Promise<AddedSlice> {
  const [slice] = await tx.query<{ rows: bigint; isLast: boolean }>(
    `with bounds as materialized (
       select
         case
           when history_to - $1 * interval '1 second' > (select min(created_at) - interval '1 day' from merchants)
             then history_to - $1 * interval '1 second'
           else '-infinity'
         end as place_at,
         history_to as end_at,
         null::pg_snapshot as seen,
         null::pg_snapshot as cut
       from report_mark
     )
     select ${addedRows('b.end_at')} as rows, b.place_at = '-infinity' as "isLast"
     from bounds b`,
    [seconds],
  );
  if (slice === undefined) throw new Error('the mark of the reports is there');
  await tx.query(
    `update report_mark
     set history_to = case when $2 then null else history_to - $1 * interval '1 second' end`,
    [seconds, slice.isLast],
  );
  return { rows: Number(slice.rows), seconds, isLast: slice.isLast };
}
