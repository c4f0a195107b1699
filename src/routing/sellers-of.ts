/** The route that a product has until the operator says otherwise. Pure. */
import type { Environment } from '../kernel/environment.ts';
import type { ProviderFacts } from '../providers/provider.ts';

/** The names of those that sell the product to an environment, in the order given. */
export function sellersOf(
  product: string,
  environment: Environment,
  providers: readonly ProviderFacts[],
): readonly string[] {
  return providers
    .filter((provider) => provider.environment === environment && provider.products.has(product))
    .map(({ name }) => name);
}
