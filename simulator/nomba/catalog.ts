/**
 * The catalog of the simulated Nomba: the demo catalog's data plans and billers under their Nomba
 * codes.
 */
import { readDemoPlans } from '../catalog.ts';

type DataPlan = { readonly productId: string; readonly name: string; readonly price: bigint };

export type Catalog = {
  /** By network in lower case, then by product id. */
  readonly dataPlans: ReadonlyMap<string, ReadonlyMap<string, DataPlan>>;
  /** Names by id. */
  readonly discos: ReadonlyMap<string, string>;
  readonly bettingProviders: ReadonlyMap<string, string>;
  /** Bouquets by cable type. */
  readonly bouquets: ReadonlyMap<string, readonly { readonly name: string; readonly price: bigint }[]>;
};

export async function loadCatalog(): Promise<Catalog> {
  const dataPlans = new Map<string, Map<string, DataPlan>>();
  const discos = new Map<string, string>();
  const bettingProviders = new Map<string, string>();
  const bouquets = new Map<string, { name: string; price: bigint }[]>();
  for (const { network, name, price, codes } of await readDemoPlans()) {
    const { productId, disco, betting_provider, cable_type } = codes.nomba ?? {};
    if (productId !== undefined && price !== undefined) {
      const plans = dataPlans.get(network.toLowerCase()) ?? new Map<string, DataPlan>();
      dataPlans.set(network.toLowerCase(), plans.set(productId, { productId, name, price }));
    }
    if (disco !== undefined) discos.set(disco, network);
    if (betting_provider !== undefined) bettingProviders.set(betting_provider, network);
    if (cable_type !== undefined) {
      const own = bouquets.get(cable_type) ?? [];
      if (price !== undefined) own.push({ name, price });
      bouquets.set(cable_type, own);
    }
  }
  return { dataPlans, discos, bettingProviders, bouquets };
}
