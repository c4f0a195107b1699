/** The shared parts of the simulated eSIM Access's calls. */
import { Account, type Simulation } from '../account.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { webhook } from './webhook.ts';

export type EsimAccess = { readonly account: Account; readonly catalog: Catalog };

export async function openEsimAccess(simulation: Simulation): Promise<EsimAccess> {
  const account = new Account('esimaccess', simulation, webhook);
  return { account, catalog: await loadCatalog() };
}
