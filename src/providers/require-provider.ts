/** Finds a provider that an operation names. */
import { OperationError } from '../core/errors.ts';

/** Throws OperationError `no_such_provider`. `providers` are all providers, configured or not. */
export function requireProvider<Named extends { readonly name: string }>(
  providers: readonly Named[],
  provider: string,
): Named {
  const found = providers.find(({ name }) => name === provider);
  if (found !== undefined) return found;
  const known = providers.map(({ name }) => name).sort();
  throw new OperationError({ code: 'no_such_provider', provider, known });
}
