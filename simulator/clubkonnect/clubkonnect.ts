/** The shared parts of the simulated ClubKonnect's calls. */
import { Account, type Simulation } from '../account.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { queryBody } from './replies.ts';

export type Clubkonnect = { readonly account: Account; readonly catalog: Catalog };

/** Sends no callbacks: ClubKonnect's are GETs to an address that comes with each order. */
export async function openClubkonnect(simulation: Simulation): Promise<Clubkonnect> {
  const settings = { ...simulation.settings, hooksUrl: undefined };
  const account = new Account('clubkonnect', { ...simulation, settings }, (order) => ({
    body: queryBody(order, 0n),
    isAccepted: async () => true,
  }));
  return { account, catalog: await loadCatalog() };
}
