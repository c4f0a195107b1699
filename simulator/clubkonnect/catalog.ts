/**
 * The catalog of the simulated ClubKonnect: airtime, and the plans, bouquets and billers of the
 * demo catalog under ClubKonnect's codes.
 */
import { readDemoPlans } from '../catalog.ts';

type Plan = { readonly id: string; readonly name: string; readonly price: bigint };

export type Catalog = {
  /** By network code, then by plan id. */
  readonly dataPlans: ReadonlyMap<string, ReadonlyMap<string, Plan>>;
  /** By cable company, then by package. */
  readonly packages: ReadonlyMap<string, ReadonlyMap<string, Plan>>;
  /** By exam type. */
  readonly exams: ReadonlyMap<string, Plan>;
};

/** The networks as the list of data plans names them, by code. */
export const NETWORKS: ReadonlyMap<string, string> = new Map([
  ['01', 'MTN'],
  ['02', 'Glo'],
  ['03', 'm_9mobile'],
  ['04', 'Airtel'],
]);

export const DISCOS: ReadonlySet<string> = new Set(
  Array.from({ length: 12 }, (_, index) => String(index + 1).padStart(2, '0')),
);

/** Companies of both lists that were seen. The old names of a company are refused. */
export const BETTING: ReadonlySet<string> = new Set([
  'product-naija-bet',
  'product-bet-king',
  'prd-sporty-bet',
]);

const CODES: ReadonlyMap<string, string> = new Map([
  ['MTN', '01'],
  ['GLO', '02'],
  ['9MOBILE', '03'],
  ['AIRTEL', '04'],
]);

export async function loadCatalog(): Promise<Catalog> {
  const dataPlans = new Map<string, Map<string, Plan>>();
  const packages = new Map<string, Map<string, Plan>>();
  const exams = new Map<string, Plan>();
  const add = (lists: Map<string, Map<string, Plan>>, key: string, plan: Plan): void => {
    lists.set(key, (lists.get(key) ?? new Map<string, Plan>()).set(plan.id, plan));
  };
  for (const { product, network, name, price, codes } of await readDemoPlans()) {
    const code = codes.vtpass?.variation_code;
    if (price === undefined || code === undefined) continue;
    if (product === 'data') {
      const key = CODES.get(network) ?? '';
      add(dataPlans, key, { id: `${(dataPlans.get(key)?.size ?? 0) + 1}.01`, name, price });
    }
    if (product === 'CABLE') add(packages, network.toLowerCase(), { id: code, name, price });
    if (product === 'EDUCATION') exams.set(code, { id: code, name, price });
  }
  return { dataPlans, packages, exams };
}
