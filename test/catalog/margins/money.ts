/** Sales that are stored as the purchase path stores them, and their totals. */
import type { Database, Queries, Sql } from '../../../src/db/database.ts';
import { catchUp } from '../../../src/finance/reports/roll-up.ts';
import type { AcceptItem } from '../../../src/purchases/engine/accept-store.ts';
import { accept, answer, type Buyer, purchase } from '../../purchases/fixture.ts';
import { resolvePurchases } from '../../support/commit-purchases.ts';

export type Sold = {
  readonly charge: bigint;
  readonly cost: bigint;
  readonly estimated?: boolean;
  readonly fields?: Partial<AcceptItem>;
};

/** Stores successes of the sandbox in one transaction. Returns their ids. */
export async function sell(database: Database, sql: Sql, buyer: Buyer, ...sales: Sold[]): Promise<string[]> {
  const items = sales.map(({ charge, fields }) => purchase(buyer, charge, fields));
  await accept(database, ...items);
  await resolvePurchases(
    sql,
    items.map((item, index) => {
      const { cost = 0n, estimated = false } = sales[index] ?? {};
      const said = answer(buyer, item, 'success', { cost });
      if (said.effect.kind !== 'succeed') throw new Error('a success succeeds');
      return { ...said, effect: { ...said.effect, costEstimated: estimated } };
    }),
  );
  return items.map(({ id }) => id);
}

/** Rolls up everything committed. */
export async function rollUp(database: Queries): Promise<void> {
  await catchUp(database, { withinMs: 60_000 });
}

/** `kind amount` of each total of the environment. */
export async function totals(database: Sql, environment = 'live'): Promise<string[]> {
  const rows = await database.query<{ line: string }>(
    `select concat_ws(' ', product, kind, amount) as line
     from money_totals
     where environment = $1
     order by product, kind`,
    [environment],
  );
  return rows.map(({ line }) => line);
}

export async function lossAlarms(
  database: Sql,
  merchantId: number,
): Promise<{ id: bigint; purchase_id: string; message: string; acknowledged_at: Date | null }[]> {
  return await database.query(
    `select id, purchase_id, message, acknowledged_at
     from alarms
     where kind = 'sold_below_cost'
     and merchant_id = $1
     order by id`,
    [merchantId],
  );
}
