/** Reads the totals of sales. */

import type { Environment } from '../../core/environment.ts';
import type { Sql } from '../../db/database.ts';

export type MoneyTotal = {
  readonly environment: Environment;
  /** `loss` is a part of `cost`. */
  readonly kind: 'charge' | 'cost' | 'loss';
  readonly product: string;
  readonly provider: string;
  /** In kobo. */
  readonly amount: bigint;
};

/** Lists the totals: at most one row for each kind, product and provider. */
export async function listMoneyTotals(sql: Sql): Promise<MoneyTotal[]> {
  return await sql.query<MoneyTotal>(
    `select environment, kind, product, provider, amount
     from money_totals
     order by environment, kind, product, provider`,
  );
}
