/** A provider by its name, among those there are. */
import { OperationError } from '../kernel/errors.ts';

/** Throws OperationError `no_such_provider`. */
export function requireProvider<Named extends { readonly name: string }>(
  providers: readonly Named[],
  provider: string,
): Named {
  const found = providers.find(({ name }) => name === provider);
  if (found !== undefined) return found;
  const known = providers.map(({ name }) => name).sort();
  throw new OperationError({ code: 'no_such_provider', provider, known });
}
