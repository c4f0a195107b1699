// The catalog as a gateway process holds it: in memory, so that pricing an order costs no query. What it says is as old
// as its last reload; a reload that fails leaves it as it was.
import type { Sql } from '../db/database.ts';
import type { MobileNetwork } from '../products/network.ts';
import { listDataPlans } from './catalog-store.ts';
import type { DataPlan } from './data-plan.ts';
import { indexDataPlans } from './data-plan-index.ts';
import { type DataPlanMatch, findDataPlan } from './find-data-plan.ts';

export type Catalog = {
  /** The data plan that an order's `code` stands for on `network`. */
  findDataPlan(network: MobileNetwork, code: string): DataPlanMatch;
  /** The data plans of `network` on sale, in catalog order. */
  listDataPlans(network: MobileNetwork): readonly DataPlan[];
  /** Reads the catalog again. Rejects, keeping what it has, when it cannot be read or is ambiguous. */
  reload(): Promise<void>;
};

/** Reads the catalog once. Rejects when it cannot be read or a code in it is ambiguous. */
export async function loadCatalog(sql: Sql): Promise<Catalog> {
  const read = async () => indexDataPlans(await listDataPlans(sql));
  let plans = await read();
  let turn: Promise<unknown> = Promise.resolve();
  return {
    findDataPlan: (network, code) => findDataPlan(plans, network, code),
    listDataPlans: (network) => plans.listed.get(network) ?? [],
    reload() {
      // One after the other: of two that overlap, the one that read first could otherwise have the last word.
      const reloaded = turn.then(async () => {
        plans = await read();
      });
      turn = reloaded.catch(() => undefined);
      return reloaded;
    },
  };
}
