/** Reads from the codes of a plan which list of the provider has it, and its code in that list. */
export type PlanListCodes = (codes: Readonly<Record<string, string>>) => {
  readonly list: string | undefined;
  readonly plan: string | undefined;
};

export const usualListCodes: PlanListCodes = ({ service_id: list, variation_code: plan }) => ({ list, plan });
