/** The house's accounts that the played week posts to. */
import type { Tx } from '../../../db/database.ts';
import { environments } from '../../../kernel/environment.ts';
import { ensureAccount } from '../../../ledger/account-store.ts';
import { floatAccount, revenueAccount, vouchersAccount } from '../../../ledger/chart-of-accounts.ts';
import type { Resolver } from '../../../vending/path/resolve-vend.ts';

/** The accounts that deliveries are posted to. */
export async function weekAccounts(tx: Tx, providers: readonly string[]): Promise<Resolver['houseAccounts']> {
  const ids = new Map<string, bigint>();
  const learn = async (account: Parameters<typeof ensureAccount>[1]): Promise<void> => {
    ids.set(account.code, await ensureAccount(tx, account));
  };
  for (const environment of environments) {
    await learn(revenueAccount(environment, 'NGN'));
    await learn(vouchersAccount(environment, 'NGN'));
    for (const provider of providers) await learn(floatAccount(provider, environment, 'NGN'));
  }
  const known = ({ code }: { readonly code: string }): bigint => {
    const id = ids.get(code);
    if (id === undefined) throw new Error(`there is no account ${code}`);
    return id;
  };
  return {
    float: (provider, environment) => known(floatAccount(provider, environment, 'NGN')),
    revenue: (environment) => known(revenueAccount(environment, 'NGN')),
    vouchers: (environment) => known(vouchersAccount(environment, 'NGN')),
  };
}
