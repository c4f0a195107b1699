/** Reads the facts about a data plan from the texts of a provider. */
import { readPlanDays, readPlanKind, readPlanSize } from '../core/products/plan-words.ts';
import type { ProviderPlan } from './provider.ts';

type PlanFacts = Pick<ProviderPlan, 'kind' | 'sizeMb' | 'days'>;

/** A listed row without a readable code. */
export const unreadablePlan: ProviderPlan = { code: undefined, name: '', price: undefined, fixed: true };

/** Reads kind, size and validity from their fields, or else from the plan's name. */
export function planFacts(
  name: string,
  {
    kind: kindText = name,
    size = name,
    validity = name,
  }: {
    readonly kind?: string | undefined;
    readonly size?: string | undefined;
    readonly validity?: string | undefined;
  } = {},
): PlanFacts {
  const kind = readPlanKind(kindText);
  const sizeMb = readPlanSize(size);
  const days = readPlanDays(validity);
  return {
    ...(kind !== undefined && { kind }),
    ...(sizeMb !== undefined && { sizeMb }),
    ...(days !== undefined && { days }),
  };
}
