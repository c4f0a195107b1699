/** The names of accounts at providers, and the account that an operation changes. */
import { OperationError } from '../../core/errors.ts';
import type { Tx } from '../../db/database.ts';
import { listAccountRows, lockAccounts } from '../../providers/provider-account-store.ts';
import { accountsOf, type ProviderAccounts } from '../../providers/provider-accounts.ts';
import { PROVIDER_NAME, type ProviderDefinition } from '../../providers/provider-definition.ts';

type Named = { readonly name: string };

/** `none` stands for "no provider" in reports and metrics. */
const reserved = ['none'];

/**
 * Reads the accounts, and prevents other processes from changing or naming one until the commit.
 */
export async function lockAndReadAccounts(
  tx: Tx,
  { connectors }: Pick<ProviderAccounts, 'connectors'>,
): Promise<ProviderAccounts> {
  await lockAccounts(tx);
  return accountsOf(connectors, await listAccountRows(tx));
}

/**
 *  Throws OperationError `no_such_provider`. A removed account is found where `removed` allows it.
 */
export function requireAccount(
  { definitions, idOf, nameOf }: ProviderAccounts,
  typed: string,
  { removed = false }: { readonly removed?: boolean } = {},
): ProviderDefinition {
  const id = idOf(typed);
  const present = definitions.filter(({ isRemoved }) => removed || !isRemoved);
  const found = present.find(({ name }) => name === id);
  if (found !== undefined) return found;
  const known = present.map(({ name }) => nameOf(name)).sort();
  throw new OperationError({ code: 'no_such_provider', provider: typed, known });
}

/**
 * Requires a name that no other account has or had, and that is no connector's or bank's. Throws
 * OperationError: `provider_name_malformed`, `provider_name_taken`. `id`: the account that gets it.
 */
export function requireFreeName(
  { connectors, idOf, definitions }: ProviderAccounts,
  banks: readonly Named[],
  name: string,
  id: string | undefined,
): void {
  if (!PROVIDER_NAME.test(name)) throw new OperationError({ code: 'provider_name_malformed' });
  const owner = idOf(name);
  // Either the account's own name, or one that it had.
  if (owner === id) return;
  const others = [...connectors, ...banks, ...definitions].map((one) => one.name);
  if (owner !== name || others.includes(name) || reserved.includes(name)) {
    throw new OperationError({ code: 'provider_name_taken', name });
  }
}
