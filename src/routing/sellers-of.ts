/** The route that a product has until the operator says otherwise. Pure. */
import type { Environment } from '../kernel/environment.ts';
import type { ProviderFacts } from '../providers/provider.ts';

/** The names of the providers that sell the product in an environment, in the given order. */
export function sellersOf(
  product: string,
  environment: Environment,
  providers: readonly ProviderFacts[],
): readonly string[] {
  return providers
    .filter((provider) => provider.environment === environment && provider.products.has(product))
    .map(({ name }) => name);
}
