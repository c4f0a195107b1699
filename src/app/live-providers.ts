/**
 * The providers of a gateway process. They follow the accounts and the credentials, sealed, that
 * are stored in the database: stored credentials replace those of the environment, which configure
 * only the account that has the connector's own name. When credentials change, a new connector
 * replaces the provider's connector, which closes when its running calls end. An account that is
 * added, or had no settings, becomes available while the process runs. A removed account stays
 * until no purchase waits for it and its last successes were rechecked.
 *
 * Guarantees: unusable credentials change nothing. The provider continues with the previous ones,
 * the log reports it, and they are tried again. Lost notices do not matter, because the stored
 * state is read. No value is ever logged. Part of the composition root.
 */
import type { KeyObject } from 'node:crypto';
import type { Sealer } from '../core/sealing.ts';
import { SettingsReader } from '../core/settings-reader.ts';
import { singleFlight } from '../core/single-flight.ts';
import type { Sql } from '../db/database.ts';
import { accountOf, openCredentials } from '../operate/keys/provider-credentials.ts';
import { shareTokens } from '../providers/http/shared-tokens.ts';
import type { Provider } from '../providers/provider.ts';
import {
  hasPendingPurchases,
  hasUncheckedSuccesses,
  listAccountRows,
} from '../providers/provider-account-store.ts';
import { accountsOf, type ProviderAccounts } from '../providers/provider-accounts.ts';
import { type CredentialRow, listPresentCredentials } from '../providers/provider-credential-store.ts';
import type { ConfiguredProvider, ProviderDefinition } from '../providers/provider-definition.ts';
import { openSwappableProvider, type SwappableProvider } from '../providers/swappable-provider.ts';
import type { Config, Variables } from './config.ts';
import type { Registries } from './registries.ts';

type LiveLog = {
  info(fields: { readonly provider: string; readonly version: number }, what: string): void;
  error(
    fields: { readonly provider: string; readonly version: number; readonly why: string },
    what: string,
  ): void;
};

export type ProviderSources = {
  readonly config: Config;
  readonly variables: Variables;
  readonly registries: Pick<Registries, 'providers'>;
  /** The simulator that replaces providers without settings; undefined in production. */
  readonly simulatorUrl: string | undefined;
  readonly sql: Sql;
  readonly sealer: () => Promise<Pick<Sealer, 'open' | 'seal'>>;
  /** For the names of accounts. Undefined if the process neither sends nor queries purchases. */
  readonly pepper: (() => Promise<KeyObject>) | undefined;
};

export type LiveProviders = AsyncDisposable & {
  /** Providers by id; later ones are appended. */
  readonly providers: ReadonlyMap<string, Provider>;
  /** All accounts as last read, configured or not. */
  readonly accounts: () => ProviderAccounts;
  readonly readCallback: (provider: string) => ConfiguredProvider['readCallback'];
  /** The version of the stored credentials in use; 0: only the environment's. */
  readonly versionOf: (provider: string) => number;
  /** Applies changed credentials on each `reload` from now on. `adopt` prepares a new provider. */
  start(adopt: (provider: Provider) => Promise<void>): Promise<void>;
  /** Rejects when the database cannot be read. */
  reload(): Promise<void>;
};

/** Stored credentials that cannot be used. The message contains none of their values. */
class UnusableCredentials extends Error {}

export async function openLiveProviders(sources: ProviderSources, log: LiveLog): Promise<LiveProviders> {
  await using start = new AsyncDisposableStack();
  // Providers that are added later are closed with the others.
  let stack: AsyncDisposableStack = start;
  const providers = new Map<string, Provider>();
  const standing = new Map<string, SwappableProvider>();
  const callbacks = new Map<string, ConfiguredProvider['readCallback']>();
  const versions = new Map<string, number>();
  /** The last unusable version of each provider, which is reported once. */
  const told = new Map<string, number>();
  const tokens = shareTokens(sources.sql, sources.sealer);
  let adopt: ((provider: Provider) => Promise<void>) | undefined;
  let accounts = accountsOf(sources.registries.providers, []);

  const use = async (definition: ProviderDefinition, { account, configured }: OfAccount): Promise<void> => {
    const { name } = definition;
    const opened = Object.assign(await configured.open(tokens), { account });
    const present = standing.get(name);
    if (present !== undefined) present.replace(opened);
    const used = present ?? stack.use(openSwappableProvider(definition, opened));
    standing.set(name, used);
    callbacks.set(name, configured.readCallback);
    // The provider becomes visible only when everything is ready for it.
    await adopt?.(used.provider);
    providers.set(name, used.provider);
  };

  const apply = async (definition: ProviderDefinition, row: CredentialRow | undefined): Promise<void> => {
    const { name } = definition;
    const version = row?.version ?? 0;
    if (versions.get(name) === version) return;
    try {
      const configured = await configure(sources, definition, row);
      if (configured === undefined) providers.delete(name);
      else await use(definition, configured);
      if (versions.has(name)) log.info({ provider: name, version }, 'a provider has new credentials');
      versions.set(name, version);
    } catch (error) {
      // The settings of the environment must suffice for a start.
      if (row === undefined && !versions.has(name)) throw error;
      // Another error may quote its input.
      const why =
        error instanceof UnusableCredentials
          ? error.message
          : `its connector cannot be opened (${error instanceof Error ? error.name : 'fault'})`;
      if (told.get(name) === version) return;
      told.set(name, version);
      log.error({ provider: name, version, why }, 'the stored credentials of a provider cannot be used');
    }
  };

  const readAll = singleFlight(async () => {
    const { sql, registries } = sources;
    accounts = accountsOf(registries.providers, await listAccountRows(sql));
    const stored = await listPresentCredentials(sql);
    for (const definition of accounts.definitions) {
      const { name } = definition;
      if (definition.isRemoved && !(await isStillQueried(sql, name))) {
        providers.delete(name);
        versions.delete(name);
        continue;
      }
      const row = stored.find(({ provider }) => provider === name);
      await apply(definition, row);
    }
  });
  await readAll();
  const owned = start.move();
  stack = owned;
  return {
    providers,
    accounts: () => accounts,
    readCallback: (provider) => (providers.has(provider) ? callbacks.get(provider) : undefined),
    versionOf: (provider) => versions.get(provider) ?? 0,
    start: async (given) => {
      adopt = given;
      await readAll();
    },
    // Before that, a new provider could not be prepared.
    reload: () => (adopt === undefined ? Promise.resolve() : readAll()),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Tells whether orders of a removed account are still queried: pending ones and last successes. */
async function isStillQueried(sql: Sql, provider: string): Promise<boolean> {
  return (await hasPendingPurchases(sql, provider)) || (await hasUncheckedSuccesses(sql, provider));
}

type OfAccount = { readonly account: string | undefined; readonly configured: ConfiguredProvider };

/** Undefined if no settings are given. Throws UnusableCredentials. */
async function configure(
  sources: ProviderSources,
  definition: ProviderDefinition,
  row: CredentialRow | undefined,
): Promise<OfAccount | undefined> {
  const { config, variables, simulatorUrl, sealer } = sources;
  // The environment configures no other account of the connector.
  const isOwn = definition.name === definition.connector;
  if (row === undefined || Object.keys(row.fingerprints).length === 0) {
    const given = isOwn ? config.providers.get(definition.name) : undefined;
    if (given !== undefined) {
      return { account: await nameAccount(sources, definition, variables), configured: given };
    }
    if (simulatorUrl === undefined) return undefined;
    const configured = definition.simulate?.(simulatorUrl, config);
    return configured && { account: SIMULATED, configured };
  }
  const values = openCredentials(await sealer(), row);
  if (values === undefined) throw new UnusableCredentials('no key opens them');
  const settings = { ...(isOwn ? variables : withoutSettings(variables, definition)), ...values };
  const read = new SettingsReader(settings);
  const configured = definition.read(read, config);
  if (read.faults.length > 0) throw new UnusableCredentials(read.faults.join('; '));
  return configured && { account: await nameAccount(sources, definition, settings), configured };
}

function withoutSettings(variables: Variables, { settings }: ProviderDefinition): Variables {
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !Object.hasOwn(settings, name)));
}

/** The demo's simulator, on any port. */
const SIMULATED = 'simulated';

/** Without a key, account hashes never match, so such a process sends nothing. */
async function nameAccount(
  { pepper }: ProviderSources,
  definition: ProviderDefinition,
  values: Variables,
): Promise<string | undefined> {
  if (pepper === undefined) return undefined;
  const key = await pepper().catch(() => undefined);
  return key === undefined ? 'unknown' : accountOf(key, definition, values);
}
