/** What the house has, owes and earns, by account. */

import type { Sql } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';
import { invariant } from '../kernel/errors.ts';
import type { Currency } from '../kernel/money.ts';
import { type Account, isAccountKind } from './chart-of-accounts.ts';
import { selectHouseBalances } from './transfer-store.ts';

export type HouseBalance = Account & {
  readonly id: bigint;
  /** Credits less debits, in minor units. */
  readonly balance: bigint;
};

/** Every house account in the order of its code; all of one moment. */
export async function houseBalances(sql: Sql): Promise<HouseBalance[]> {
  const rows = await selectHouseBalances(sql);
  return rows.map(({ id, code, kind, environment, currency, balance }) => {
    invariant(isAccountKind(kind), `account ${code} is of a kind the chart knows`);
    return {
      id,
      code,
      kind,
      environment: environment as Environment,
      currency: currency as Currency,
      balance,
    };
  });
}
