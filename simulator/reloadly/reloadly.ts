/** The shared parts of the simulated Reloadly's calls. */
import { Account, type Simulation } from '../account.ts';
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

export async function openReloadly(simulation: Simulation): Promise<Reloadly> {
  const account = new Account('reloadly', simulation, webhook);
  return {
    account,
    catalog: await loadCatalog(),
    ledger: new Ledger(account),
    tokens: new Tokens(simulation.settings.tokenLifeMs),
  };
}
