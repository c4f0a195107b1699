/**
 * Stores exchange rates. Rows are only added: the newest of a currency is in use, the others are
 * its history.
 */
import type { Sql, Tx } from '../db/database.ts';
import { type FxRate, type GoodsCurrency, isGoodsCurrency } from './fx-rate.ts';

export type FxRateEntry = FxRate & { readonly id: bigint; readonly actor: string; readonly at: Date };

type FxRateRow = Omit<FxRateEntry, 'currency'> & { readonly currency: string };

/** Lists the rates in use: one for each currency that has a rate. */
export async function listFxRates(sql: Sql): Promise<FxRateEntry[]> {
  const rows = await sql.query<FxRateRow>(
    `select distinct on (currency)
       id,
       currency,
       rate_micro as "rateMicro",
       margin_basis_points as "marginBasisPoints",
       actor,
       at
     from fx_rates
     order by currency, id desc`,
  );
  return rows.map(toEntry);
}

/** Returns the rate that was in use 24 hours ago, or else the first one. */
export async function findRateOfYesterday(
  sql: Sql,
  currency: GoodsCurrency,
): Promise<FxRateEntry | undefined> {
  const [row] = await sql.query<FxRateRow>(
    `select
       id,
       currency,
       rate_micro as "rateMicro",
       margin_basis_points as "marginBasisPoints",
       actor,
       at
     from fx_rates
     where currency = $1
     order by
       at <= now() - interval '24 hours' desc,
       case when at <= now() - interval '24 hours' then -id else id end
     limit 1`,
    [currency],
  );
  return row && toEntry(row);
}

type FxRateFilter = {
  readonly currency: GoodsCurrency | undefined;
  /** The last entry of the page before. */
  readonly after: bigint | undefined;
  readonly limit: number;
};

/** Lists all rates, newest first; of one currency if it is given. */
export async function listFxHistory(
  sql: Sql,
  { currency, after, limit }: FxRateFilter,
): Promise<FxRateEntry[]> {
  const rows = await sql.query<FxRateRow>(
    `select
       id,
       currency,
       rate_micro as "rateMicro",
       margin_basis_points as "marginBasisPoints",
       actor,
       at
     from fx_rates
     where ($1::text is null or currency = $1)
     and ($2::bigint is null or id < $2)
     order by id desc
     limit $3`,
    [currency ?? null, after ?? null, limit],
  );
  return rows.map(toEntry);
}

export async function insertFxRate(tx: Tx, rate: FxRate, actor: string): Promise<void> {
  await tx.query(
    `insert into fx_rates (currency, rate_micro, margin_basis_points, actor)
     values ($1, $2, $3, $4)`,
    [rate.currency, rate.rateMicro, rate.marginBasisPoints, actor],
  );
}

function toEntry({ currency, ...row }: FxRateRow): FxRateEntry {
  if (!isGoodsCurrency(currency)) throw new Error(`the rate of ${currency} is not of a currency of goods`);
  return { currency, ...row };
}
