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
 * Of a mark that was made in another database: a copy's transactions begin anew. Of what is there
 * the mark has added all that is older than where it is, and of the rest what it remembers by its
 * keys. The copy's clock may be behind: then rounds begin before where it is, and what is there now
 * was added. The fence lets nothing be sold before.
 */
export async function moveMark(tx: Tx, { table, condition, name }: MarkPlace): Promise<void> {
  await tx.query(
    `insert into rows_added_before (mark, key)
     select distinct $1::text, k.key
     from ${table} m
     cross join lateral unnest(
       m.seen_keys || case
         when coalesce(m.place_at, m.from_at) > now()
           then seen_row_keys($1, now() - interval '5 minutes', coalesce(m.place_at, m.from_at), pg_current_snapshot())
       end
     ) as k(key)
     where ${condition}
     on conflict do nothing`,
    [name],
  );
  await tx.query(
    `update ${table} m
     set
       from_at = coalesce(place_at, from_at),
       made_in = database_identity(),
       seen = null,
       seen_keys = null,
       cut = null,
       place_at = null,
       next_from_at = null
     where ${condition}`,
    [name],
  );
}
