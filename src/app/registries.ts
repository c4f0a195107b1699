/**
 * The providers and banks of a gateway: the built-in ones, or those of the program that starts the
 * gateway.
 */
import type { BankDefinition } from '../funding/banks/bank-definition.ts';
import { builtInBanks } from '../funding/banks/registry.ts';
import type { ProviderDefinition } from '../providers/provider-definition.ts';
import { builtInProviders } from '../providers/registry.ts';

export type Registries = {
  readonly providers: readonly ProviderDefinition[];
  readonly banks: readonly BankDefinition[];
};

/**
 * Returns the providers and banks that a program passes, or the built-in ones. Throws if two have
 * the same name.
 */
export function registriesOf({
  providers = builtInProviders,
  banks = builtInBanks,
}: Partial<Registries> = {}): Registries {
  for (const definitions of [providers, banks]) {
    const names = definitions.map(({ name }) => name);
    const twice = names.find((name, index) => names.indexOf(name) !== index);
    if (twice !== undefined) throw new Error(`two providers or two banks have the name ${twice}`);
  }
  return { providers, banks };
}
