/**
 * Ids of the house's accounts, asked for on every delivered vend and therefore remembered. An
 * account never changes its id, so what is remembered stays true.
 */

import type { Sql } from '../db/database.ts';
import { ensureAccount } from './account-store.ts';
import type { Account } from './chart-of-accounts.ts';

export type HouseAccounts = {
  /**
   * The account's id; made at the first time. Rejects when the database does, and may then be asked
   * again.
   */
  houseAccountId(account: Account): Promise<bigint>;
};

export function createHouseAccounts(sql: Sql): HouseAccounts {
  const ids = new Map<string, Promise<bigint>>();
  return {
    houseAccountId: (account) => {
      const known = ids.get(account.code);
      if (known !== undefined) return known;
      const asked = ensureAccount(sql, account);
      ids.set(account.code, asked);
      asked.catch(() => ids.delete(account.code));
      return asked;
    },
  };
}
