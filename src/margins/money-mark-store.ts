/** The SQL that adds up what purchases, deposits and refunds leave, in slices of their time. */
import { cutTime, moveMark, readOldestRunning, sliceOf } from '../db/adding-mark-store.ts';
import type { AddedSlice } from '../db/adding-pace.ts';
import type { Tx } from '../db/database.ts';

export const moneySources = ['sales', 'deposits', 'refunds'] as const;
export type MoneySource = (typeof moneySources)[number];

const sourceTimes = {
  sales: { table: 'vend_outcomes', column: 'at' },
  deposits: { table: 'deposits', column: 'created_at' },
  refunds: { table: 'vend_refunds', column: 'at' },
} as const;

export type MoneyMark = {
  readonly source: MoneySource;
  /** Where the round begins. */
  readonly from_at: Date;
  /** What the round before saw; null: nothing was added up yet. */
  readonly seen: string | null;
  /** What the round in hand sees, and how far it came; null: none is in hand. */
  readonly cut: string | null;
  readonly place_at: Date | null;
};

/**
 * Undefined where another process has it in hand, unless it is waited for. In another database than
 * it was made in it is set anew.
 */
export async function lockMark(
  tx: Tx,
  source: MoneySource,
  { waits }: { readonly waits: boolean },
): Promise<MoneyMark | undefined> {
  const [mark] = await tx.query<MoneyMark & { isMoved: boolean }>(
    `select source, from_at, seen, cut, place_at, is_moved(made_in, coalesce(cut, seen)) as "isMoved"
     from money_marks
     where source = $1
     for update${waits ? '' : ' skip locked'}`,
    [source],
  );
  if (mark?.isMoved !== true) return mark;
  await moveMark(tx, { table: 'money_marks', condition: 'm.source = $1', name: source });
  return await lockMark(tx, source, { waits });
}

/**
 * Begins a round: it sees what is committed now. Whatever it does not see is of a transaction that
 * runs now, or of a later one, and so not older than the oldest that runs. A row's time is the
 * start of its transaction; a purchase's takes seconds, and is cut off after half a minute.
 *
 * After the database's clock was set back, rows are younger than the round before expects.
 */
export async function beginRound(tx: Tx, source: MoneySource): Promise<void> {
  const oldest = await readOldestRunning(tx);
  await tx.query(
    `update money_marks
     set
       made_in = database_identity(),
       cut = pg_current_snapshot()::text,
       cut_at = ${cutTime(sourceTimes[source])},
       cut_keys = null,
       place_at = case when from_at > now() then now() - interval '2 minutes' else from_at end,
       next_from_at = $2::timestamptz
     where source = $1`,
    [source, oldest],
  );
}

/** Its rows are sales, deposits or refunds. */
export type Slice = AddedSlice & {
  readonly losses: bigint;
  /** A guard may have to stop sales now. */
  readonly stops: boolean;
};

const slicing = sliceOf('$2', 'source');

/**
 * Adds the next slice of the round in hand, of that length, and moves the mark past it. The last
 * slice is all that is left.
 */
export async function addSlice(tx: Tx, source: MoneySource, seconds: number): Promise<Slice> {
  const columns =
    source === 'sales'
      ? 'sales::integer as rows, losses, stops'
      : `${source}::integer as rows, 0 as losses, false as stops`;
  const [slice] = await tx.query<Slice>(
    `with bounds as materialized (
       select ${slicing.bounds}, seen::pg_snapshot as seen, cut::pg_snapshot as cut
       from money_marks
       where source = $1
     ),
     added as materialized (
       select ${columns}, b.seconds, b."isLast"
       from bounds b
       cross join lateral add_up_${source}(b.place_at, b.end_at, b.seen, b.cut)
     )
     select *
     from added`,
    [source, seconds],
  );
  await tx.query(
    // The length is a value of both.
    slice?.isLast === false
      ? `update money_marks set ${slicing.moveOn} where source = $1`
      : `update money_marks set ${slicing.endRound} where source = $1 and $2::float8 is not null`,
    [source, seconds],
  );
  if (slice?.isLast !== false) await tx.query('delete from rows_added_before where mark = $1', [source]);
  return slice ?? { rows: 0, seconds, losses: 0n, stops: false, isLast: true };
}
