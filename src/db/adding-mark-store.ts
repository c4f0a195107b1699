/**
 * The SQL that marks have in common: rows up to which all is added up elsewhere, in rounds. A round
 * sees what is committed when it begins, and no row is added twice or missed.
 */
import type { Tx } from './database.ts';

/** The mark's row in its table. Both are text of ours, and never of a user. */
export type MarkPlace = {
  readonly table: string;
  /** Of the row, `m`; the mark's name is `$1`. */
  readonly condition: string;
  /** By which its rows are told from those of other marks. */
  readonly name: string;
};

/**
 * The time, as text, that is not after the beginning of any transaction that runs now or later:
 * what a round does not see is not older. Those that have written nothing for two minutes are
 * readers, and do not count. Where the database does not tell when others began, two minutes count.
 */
export async function readOldestRunning(tx: Tx): Promise<string | undefined> {
  const [running] = await tx.query<{ oldest: string }>(`
    select least(
      now() - interval '1 second',
      min(coalesce(xact_start, now() - interval '2 minutes')) - interval '1 second'
    )::text as oldest
    from pg_stat_activity
    where datname = current_database()
    and pid <> pg_backend_pid()
    and (
      xact_start > now() - interval '2 minutes'
      or (xact_start is not null and backend_xid is not null)
      or query = '<insufficient privilege>'
    )`);
  return running?.oldest;
}

/**
 * SQL: the time of the statement that begins a round, where nothing that it sees is younger. Null
 * where something is, as after the clock was set back.
 */
export function cutTime(...times: readonly { readonly table: string; readonly column: string }[]): string {
  const younger = times.map(
    ({ table, column }) => `exists (select from ${table} where ${column} > statement_timestamp())`,
  );
  return `case when not (${younger.join(' or ')}) then statement_timestamp() end`;
}

/**
 * SQL of a slice of the round in hand. `seconds`: its length, a value of the statement; `mark`: the
 * name of the mark. Up to `next_from_at` a round sees all there is or will be. From there on it
 * sees a part, whose keys are kept.
 */
export function sliceOf(
  seconds: string,
  mark: string,
): {
  /**
   * Columns `place_at` and `end_at`, its bounds; `seconds`, how long it is; and `"isLast"`: it is
   * all that is left.
   */
  readonly bounds: string;
  /** What moves the mark past a slice that is not the last. */
  readonly moveOn: string;
  /** What ends the round after the last slice. */
  readonly endRound: string;
} {
  const end = `place_at + ${seconds} * interval '1 second'`;
  const keysUpTo = (to: string): string =>
    `coalesce(cut_keys, '{}') || seen_row_keys(
      ${mark}, case when cut_keys is null then next_from_at else place_at end, ${to}, cut::pg_snapshot
    )`;
  const isLast = `${end} >= greatest(next_from_at, cut_at)`;
  const endOfAll = "coalesce(cut_at + interval '1 microsecond', 'infinity')";
  return {
    bounds: `
      place_at,
      case when ${isLast} then ${endOfAll} else ${end} end as end_at,
      case
        when ${isLast} then extract(epoch from coalesce(cut_at, now()) - place_at)::float8
        else ${seconds}
      end as seconds,
      ${isLast} as "isLast"`,
    moveOn: `
      place_at = ${end},
      cut_keys = case when ${end} > next_from_at then ${keysUpTo(end)} end`,
    endRound: `
      seen = cut,
      seen_keys = ${keysUpTo(endOfAll)},
      from_at = next_from_at,
      cut = null,
      cut_at = null,
      cut_keys = null,
      place_at = null,
      next_from_at = null`,
  };
}

/**
 * Of a mark that was made in another database: a copy's transactions begin anew. Of what is there
 * the mark has added all that is older than where it is, as far as its round sees all, and of the
 * rest what it remembers by its keys. The copy's clock may be behind: then rounds begin before
 * where it is, and what is there now was added. The fence lets nothing be sold before.
 */
export async function moveMark(tx: Tx, { table, condition, name }: MarkPlace): Promise<void> {
  const addedTo = 'least(m.place_at, greatest(m.next_from_at, m.from_at))';
  await tx.query(
    `insert into rows_added_before (mark, key)
     select distinct $1::text, k.key
     from ${table} m
     cross join lateral unnest(
       m.seen_keys || m.cut_keys || case
         when ${addedTo} > now()
           then seen_row_keys($1, now() - interval '5 minutes', ${addedTo}, pg_current_snapshot())
       end
     ) as k(key)
     where ${condition}
     on conflict do nothing`,
    [name],
  );
  await tx.query(
    `update ${table} m
     set
       from_at = ${addedTo},
       made_in = database_identity(),
       seen = null,
       seen_keys = null,
       cut = null,
       cut_at = null,
       cut_keys = null,
       place_at = null,
       next_from_at = null
     where ${condition}`,
    [name],
  );
}
