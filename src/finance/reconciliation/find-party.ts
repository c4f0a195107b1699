/** Finds the provider or bank that the books are compared with. */

import type { Environment } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import type { Currency } from '../../core/money.ts';
import type { BankDefinition } from '../../funding/banks/bank-definition.ts';
import type { ProviderDefinition } from '../../providers/provider-definition.ts';
import type { StatementMapping } from '../../providers/statements/statement-mapping.ts';

export type FoundParty = {
  readonly name: string;
  readonly kind: 'provider' | 'bank';
  readonly environment: Environment;
  /** The currencies of a bank's deposits; empty for a provider. */
  readonly currencies: readonly Currency[];
  readonly mapping: StatementMapping | undefined;
};

type Registries = {
  readonly providers: readonly Pick<ProviderDefinition, 'name' | 'environment' | 'statementMapping'>[];
  readonly banks: readonly Pick<BankDefinition, 'name' | 'environment' | 'currencies' | 'statementMapping'>[];
};

/** Finds a party by name, a provider before a bank. Throws OperationError `no_such_party`. */
export function findParty({ providers, banks }: Registries, party: string): FoundParty {
  const provider = providers.find(({ name }) => name === party);
  const bank = banks.find(({ name }) => name === party);
  const found = provider ?? bank;
  if (found === undefined) {
    const known = [...new Set([...providers, ...banks].map(({ name }) => name))].sort();
    throw new OperationError({ code: 'no_such_party', party, known });
  }
  const { name, environment, statementMapping: mapping } = found;
  const currencies = provider === undefined ? (bank?.currencies ?? []) : [];
  return { name, kind: provider === undefined ? 'bank' : 'provider', environment, currencies, mapping };
}
