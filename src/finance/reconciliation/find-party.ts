/** Whom the books are compared with: a provider or a bank, by its name. */

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
  /** Of the deposits of a bank; of a provider none. */
  readonly currencies: readonly Currency[];
  readonly mapping: StatementMapping | undefined;
};

type Registries = {
  readonly providers: readonly Pick<ProviderDefinition, 'name' | 'environment' | 'statementMapping'>[];
  readonly banks: readonly Pick<BankDefinition, 'name' | 'environment' | 'currencies' | 'statementMapping'>[];
};

/** A provider where a bank has the same name. Throws OperationError `no_such_party`. */
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
