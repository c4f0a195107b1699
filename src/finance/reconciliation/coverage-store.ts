/**
 * SQL of the time that the lists of providers cover since the restore lock was set. Every list that
 * was read since counts, also of runs that applied nothing.
 */
import type { Sql } from '../../db/database.ts';
import type { RestoreLockRow } from '../../purchases/engine/restore-lock-store.ts';

type Gap = { readonly from: Date; readonly until: Date };

export type ProviderCoverage = {
  readonly provider: string;
  /** The first and the last moment of its lists; null if none was read. */
  readonly listedFrom: Date | null;
  readonly listedUntil: Date | null;
  /** The parts of the lost time that no list covers. */
  readonly gaps: readonly Gap[];
};

/** The clocks of providers differ from ours, and lists contain orders by their time of creation. */
const OVERLAP_MS = 3_600_000;

/** Returns the time from which lists must cover. */
export function listFrom({ lost_from: lostFrom }: Pick<RestoreLockRow, 'lost_from'>): Date {
  return new Date(lostFrom.getTime() - OVERLAP_MS);
}

type Row = {
  readonly provider: string;
  readonly listed_from: Date | null;
  readonly listed_until: Date | null;
  readonly gap_from: Date | null;
  readonly gap_until: Date | null;
};

/**
 * Lists the coverage of the providers whose lists are needed: those of live routes, of pending
 * purchases and of the lists themselves.
 */
export async function listCoverage(
  sql: Sql,
  restoreLock: RestoreLockRow,
): Promise<readonly ProviderCoverage[]> {
  const rows = await sql.query<Row>(
    `with listed as (
       select party as provider, range_agg(covered) as covered
       from reconciliation_runs
       where environment = 'live'
       and covered is not null
       and at >= $1
       group by party
     ),
     needed as (
       select provider
       from routes
       where environment = 'live'
       union
       select a.provider
       from pending_purchases p
       -- By their key: without "offset 0" the planner reads the whole joined view.
       cross join lateral (
         select t.provider
         from attempts t
         where t.merchant_id = p.merchant_id
         and t.purchase_id = p.purchase_id
         offset 0
       ) a
       where p.environment = 'live'
       union
       select provider
       from listed
     )
     select
       n.provider,
       lower(l.covered) as listed_from,
       upper(l.covered) as listed_until,
       lower(g.gap) as gap_from,
       upper(g.gap) as gap_until
     from needed n
     left join listed l on l.provider = n.provider
     left join lateral unnest(
       tstzmultirange(tstzrange($2, greatest($2, $3::timestamptz), '[]')) - coalesce(l.covered, '{}')
     ) as g(gap) on true
     order by n.provider, g.gap`,
    [restoreLock.raised_at, listFrom(restoreLock), restoreLock.lost_until],
  );
  return [...Map.groupBy(rows, ({ provider }) => provider)].map(([provider, ofIt]) => ({
    provider,
    listedFrom: ofIt[0]?.listed_from ?? null,
    listedUntil: ofIt[0]?.listed_until ?? null,
    gaps: ofIt.flatMap(({ gap_from: from, gap_until: until }) =>
      from === null || until === null ? [] : [{ from, until }],
    ),
  }));
}
