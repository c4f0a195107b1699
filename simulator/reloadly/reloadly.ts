/** What every call of the simulated Reloadly works with. */
import { Account, type World } from '../account.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { Ledger } from './ledger.ts';
import { Tokens } from './tokens.ts';
import { webhook } from './webhook.ts';

export type Reloadly = {
  readonly account: Account;
  readonly catalog: Catalog;
  readonly ledger: Ledger;
  readonly tokens: Tokens;
};

export async function openReloadly(world: World): Promise<Reloadly> {
  const { reloadlyCallbackUrl, tokenLifeMs } = world.settings;
  const account = new Account('reloadly', world, { url: reloadlyCallbackUrl, callback: webhook });
  return {
    account,
    catalog: await loadCatalog(),
    ledger: new Ledger(account),
    tokens: new Tokens(tokenLifeMs),
  };
}
