/**
 * SQL of which time the lists of providers cover since the restore fence was raised. Every list
 * counts that was read since, whether its run applied anything or not.
 */
import type { Sql } from '../../db/database.ts';
import type { FenceRow } from '../../purchases/engine/fence-store.ts';

type Gap = { readonly from: Date; readonly until: Date };

export type ProviderCoverage = {
  readonly provider: string;
  /** The first and the last moment that its lists have; null: none was read. */
  readonly listedFrom: Date | null;
  readonly listedUntil: Date | null;
  /** The parts of the lost time that no list has. */
  readonly gaps: readonly Gap[];
};

/** Providers' clocks differ from ours, and an order is listed by when it was made. */
const OVERLAP_MS = 3_600_000;

/** From when on lists must tell. */
export function listFrom({ lost_from: lostFrom }: Pick<FenceRow, 'lost_from'>): Date {
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
 * The providers whose lists the fence needs: those of whom live purchases are, or were, bought, by
 * routes, by what is pending and by the lists themselves.
 */
export async function listCoverage(sql: Sql, fence: FenceRow): Promise<readonly ProviderCoverage[]> {
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
       join attempts a
         on a.merchant_id = p.merchant_id
         and a.purchase_id = p.purchase_id
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
    [fence.raised_at, listFrom(fence), fence.lost_until],
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
