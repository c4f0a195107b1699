/** The accounts that deliveries are posted to, looked up once: accounts never change. */
import { type Environment, environments } from '../../kernel/environment.ts';
import { invariant } from '../../kernel/errors.ts';
import { floatAccount, revenueAccount, vouchersAccount } from '../../ledger/chart-of-accounts.ts';
import type { HouseAccounts } from '../../ledger/house-accounts.ts';
import type { Resolver } from './resolve-vend.ts';

export type DeliveryAccounts = Resolver['houseAccounts'] & {
  /** Looks up those of one more provider. */
  learn(provider: string): Promise<void>;
};

/** Looks up those of each of `providers`, by their names. */
export async function findDeliveryAccounts(
  houseAccounts: HouseAccounts,
  providers: Iterable<string>,
): Promise<DeliveryAccounts> {
  const floats = new Map<string, bigint>();
  const revenues = new Map<Environment, bigint>();
  const vouchers = new Map<Environment, bigint>();
  for (const environment of environments) {
    revenues.set(environment, await houseAccounts.houseAccountId(revenueAccount(environment, 'NGN')));
    vouchers.set(environment, await houseAccounts.houseAccountId(vouchersAccount(environment, 'NGN')));
  }
  const learn = async (name: string): Promise<void> => {
    for (const environment of environments) {
      const account = floatAccount(name, environment, 'NGN');
      floats.set(`${name}/${environment}`, await houseAccounts.houseAccountId(account));
    }
  };
  for (const name of providers) await learn(name);
  const known = (id: bigint | undefined): bigint => {
    invariant(id !== undefined, 'a delivering provider has its accounts');
    return id;
  };
  return {
    learn,
    float: (provider, environment) => known(floats.get(`${provider}/${environment}`)),
    revenue: (environment) => known(revenues.get(environment)),
    vouchers: (environment) => known(vouchers.get(environment)),
  };
}
