/** Reads the measures of accounts in the last 30 days. `src/finance/measures/` writes them. */
import type { Sql } from '../../db/database.ts';
import type { Measure } from './measure.ts';

/** Lists the measures of some providers, or of all. Few rows, whatever the volume of sales. */
export async function listMeasures(sql: Sql, providers: readonly string[] | undefined): Promise<Measure[]> {
  return await sql.query<Measure>(
    `select
       environment,
       provider,
       product,
       network,
       delivered::integer,
       answers::integer,
       contradicted::integer,
       refusals::integer,
       delivered_refusals::integer,
       differing_days,
       long_unknown::integer,
       (final_ms / nullif(delivered, 0))::float8 as final_ms,
       face_value,
       cost,
       float_left,
       float_hours
     from provider_measures
     where $1::text[] is null or provider = any($1)
     order by environment, provider, product, network`,
    [providers ?? null],
  );
}
