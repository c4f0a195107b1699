/** What every call of the simulated eSIM Access works with. */
import { Account, type World } from '../account.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { webhook } from './webhook.ts';

export type EsimAccess = { readonly account: Account; readonly catalog: Catalog };

export async function openEsimAccess(world: World): Promise<EsimAccess> {
  const { esimAccessCallbackUrl } = world.settings;
  const account = new Account('esimaccess', world, { url: esimAccessCallbackUrl, callback: webhook });
  return { account, catalog: await loadCatalog() };
}
