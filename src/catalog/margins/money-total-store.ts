/** Reads the totals of sales, refunds and deposits. */

import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';
import type { Sql } from '../../db/database.ts';

export type MoneyTotal = {
  readonly environment: Environment;
  /** `estimated_cost` and `loss` are parts of other kinds. */
  readonly kind:
    | 'face_value'
    | 'charge'
    | 'cost'
    | 'estimated_cost'
    | 'loss'
    | 'refund'
    | 'cost_refund'
    | 'deposit';
  /** Empty for a deposit. */
  readonly product: string;
  readonly provider: string;
  readonly currency: Currency;
  readonly count: bigint;
  readonly amount: bigint;
};

/** Lists the totals: at most one row for each kind, product and provider. */
export async function listMoneyTotals(sql: Sql): Promise<MoneyTotal[]> {
  return await sql.query<MoneyTotal>(
    `select environment, kind, product, provider, currency, count, amount
     from money_totals
     order by environment, kind, product, provider, currency`,
  );
}
