/** Reads the kind, size and validity of a data plan from a provider's words. */
import { readPlanDays, readPlanKind, readPlanSize } from '../core/products/plan-words.ts';
import type { ProviderPlan } from './provider.ts';

type PlanFacts = Pick<ProviderPlan, 'kind' | 'sizeMb' | 'days'>;

/** Reads what a list states in fields of their own, or else in the plan's name. */
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
