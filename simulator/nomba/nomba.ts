/** What every call of the simulated Nomba works with. */
import { Account, type World } from '../account.ts';
import { type Catalog, loadCatalog } from './catalog.ts';
import { Tokens } from './tokens.ts';
import { webhook } from './webhook.ts';

export type Nomba = { readonly account: Account; readonly catalog: Catalog; readonly tokens: Tokens };

export async function openNomba(world: World): Promise<Nomba> {
  const { nombaCallbackUrl, tokenLifeMs } = world.settings;
  const voice = { url: nombaCallbackUrl, callback: webhook };
  return {
    account: new Account('nomba', world, voice),
    catalog: await loadCatalog(),
    tokens: new Tokens(tokenLifeMs),
  };
}
