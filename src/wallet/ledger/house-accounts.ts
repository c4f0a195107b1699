/**
 * Ids of the house's accounts. Every delivered purchase needs them, so they are cached. An account
 * never changes its id, so a cached id stays right.
 */

import type { Sql } from '../../db/database.ts';
import { ensureAccount } from './account-store.ts';
import type { Account } from './chart-of-accounts.ts';

export type HouseAccounts = {
  /**
   * The account's id. The first call makes the account. Rejects when the database does, and may
   * then be called again.
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
