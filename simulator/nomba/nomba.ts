/** The shared parts of the simulated Nomba's calls. */
import { Account, type Simulation } from '../account.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { Tokens } from './tokens.ts';
import { webhook } from './webhook.ts';

export type Nomba = { readonly account: Account; readonly catalog: Catalog; readonly tokens: Tokens };

export async function openNomba(simulation: Simulation): Promise<Nomba> {
  return {
    account: new Account('nomba', simulation, webhook),
    catalog: await loadCatalog(),
    tokens: new Tokens(simulation.settings.tokenLifeMs),
  };
}
