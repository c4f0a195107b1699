/**
 * The accounts at providers. A connector has an account of the same name, which the settings of the
 * environment can configure. The operator adds others, with stored settings only.
 *
 * An account's id is its first name. Routes, attempts, floats and all other stored data have the
 * id, so a new name changes none of them. A name that an account has or had is never given to
 * another one, so each name leads to one account for good.
 */
import type { AccountRow } from './provider-account-store.ts';
import type { ProviderDefinition } from './provider-definition.ts';

export type ProviderAccounts = {
  readonly connectors: readonly ProviderDefinition[];
  /** All accounts, removed ones too. Their `name` is the id. */
  readonly definitions: readonly ProviderDefinition[];
  /** Returns the id for a name or a former name; the text itself when no account has it. */
  readonly idOf: (name: string) => string;
  /** Returns the current name for an id; the id itself when it is the name. */
  readonly nameOf: (id: string) => string;
};

export function accountsOf(
  connectors: readonly ProviderDefinition[],
  rows: readonly AccountRow[],
): ProviderAccounts {
  const ids = new Map(rows.flatMap(({ provider, names }) => names.map((name) => [name, provider])));
  const names = new Map(rows.map(({ provider, name }) => [provider, name]));
  return {
    connectors,
    definitions: [
      // An account that had this name before the connector was added keeps it. The connector then
      // has no account of the same name.
      ...connectors.filter(({ name }) => !ids.has(name)),
      ...rows.flatMap((row): ProviderDefinition[] => {
        const connector = connectors.find(({ name }) => name === row.connector);
        return connector === undefined ? [] : [asAccount(connector, row)];
      }),
    ],
    idOf: (name) => ids.get(name) ?? name,
    nameOf: (id) => names.get(id) ?? id,
  };
}

function asAccount(
  connector: ProviderDefinition,
  { provider: name, removed_at }: AccountRow,
): ProviderDefinition {
  const { read, simulate } = connector;
  return {
    ...connector,
    name,
    isRemoved: removed_at !== null,
    read: (settings, common) => {
      const configured = read(settings, common);
      return configured && { ...configured, name };
    },
    simulate: simulate && ((url, common) => ({ ...simulate(url, common), name })),
  };
}
