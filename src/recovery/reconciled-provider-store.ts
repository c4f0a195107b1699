/** The SQL of which time the lists of providers have, while a fence is up. */
import type { Sql, Tx } from '../db/database.ts';

export type Period = { readonly from: Date; readonly until: Date };

/** A part of the lost time that no list of the provider has. */
export type ProviderGap = Period & { readonly provider: string };

export type ReconciledProviderRow = {
  readonly provider: string;
  /** The first and the last moment that its lists have. */
  readonly listed_from: Date;
  readonly listed_until: Date;
  readonly source: 'asked' | 'file';
  readonly orders: number;
  readonly at: Date;
};

export async function listReconciledProviders(
  sql: Sql,
  fenceId: string,
): Promise<readonly ReconciledProviderRow[]> {
  return await sql.query<ReconciledProviderRow>(
    `select provider, listed_from, listed_until, source, orders, at
     from reconciled_providers
     where fence_id = $1
     order by provider`,
    [fenceId],
  );
}

/** What a list has is added to what lists before it had. */
export async function upsertReconciledProvider(
  tx: Tx,
  fenceId: string,
  row: Omit<ReconciledProviderRow, 'at'>,
): Promise<void> {
  await tx.query(
    `insert into reconciled_providers as r (
       fence_id, provider, listed_from, listed_until, source, orders, covered
     )
     values ($1, $2, $3, $4, $5, $6, tstzmultirange(tstzrange($3, $4, '[]')))
     on conflict (fence_id, provider) do update
     set
       covered = coalesce(r.covered, '{}') + excluded.covered,
       listed_from = lower(coalesce(r.covered, '{}') + excluded.covered),
       listed_until = upper(coalesce(r.covered, '{}') + excluded.covered),
       source = excluded.source, orders = excluded.orders, at = now()`,
    [fenceId, row.provider, row.listed_from, row.listed_until, row.source, row.orders],
  );
}

/**
 * The parts of the lost time that no list of the providers has: neither one that was noted, nor one
 * of `listed`.
 */
export async function listGaps(
  sql: Sql,
  of: {
    readonly fenceId: string;
    readonly providers: readonly string[];
    readonly lost: Period;
    readonly listed?: ReadonlyMap<string, Period>;
  },
): Promise<readonly ProviderGap[]> {
  const periods = of.providers.map((provider) => of.listed?.get(provider));
  return await sql.query<ProviderGap>(
    `select w.provider, lower(gap) as "from", upper(gap) as until
     from unnest($4::text[], $5::timestamptz[], $6::timestamptz[]) as w(provider, listed_from, listed_until)
     left join reconciled_providers r
       on r.fence_id = $1
       and r.provider = w.provider
     cross join lateral unnest(
       tstzmultirange(tstzrange($2, greatest($2, $3::timestamptz), '[]'))
       - coalesce(r.covered, '{}')
       - case
           when w.listed_from is null then '{}'
           else tstzmultirange(tstzrange(w.listed_from, w.listed_until, '[]'))
         end
     ) as gap
     order by w.provider, lower(gap)`,
    [
      of.fenceId,
      of.lost.from,
      of.lost.until,
      of.providers,
      periods.map((period) => period?.from ?? null),
      periods.map((period) => period?.until ?? null),
    ],
  );
}
