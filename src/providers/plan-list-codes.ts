/** Reads the provider's lists from the codes of a data plan. */

import type { MobileNetwork } from '../core/products/network.ts';

/** Reads from the codes of a plan which list of the provider has it, and its code in that list. */
export type PlanListCodes = (codes: Readonly<Record<string, string>>) => {
  readonly list: string | undefined;
  readonly plan: string | undefined;
};

export const usualListCodes: PlanListCodes = ({ service_id: list, variation_code: plan }) => ({ list, plan });

/** The facts about the lists of `Connector.listPlans` that are known without a call. */
export type PlanLists = {
  /** Absent: the default ones. */
  readonly listCodes?: PlanListCodes;
  /** The service ids that are known to list data plans, and the network of each. */
  readonly dataLists?: ReadonlyMap<string, MobileNetwork>;
};
