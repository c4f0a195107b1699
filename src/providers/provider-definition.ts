/**
 * The definition that the `index.ts` of a provider's folder exports. Adding a provider takes its
 * folder and one line of `registry.ts`. The type of the settings is hidden, because the registry
 * lists providers with different settings.
 */

import type { ConnectorSettings, ReadSettings, SettingKinds } from '../core/connector-settings.ts';
import type { Environment } from '../core/environment.ts';
import type { ProductName } from '../core/products/product.ts';
import type { SettingsReader } from '../core/settings-reader.ts';
import type { ProviderUpstreamSettings } from './http/provider-upstream.ts';
import type { SharedTokens } from './http/shared-tokens.ts';
import type { Connector, Provider, ProviderFacts } from './provider.ts';
import type { ProviderLimits } from './provider-limits.ts';
import type { StatementMapping } from './statements/statement-mapping.ts';

/** Settings of the gateway, which all providers have in common. */
export type CommonSettings = {
  /** Your phone, sent with a bill whose customer gave none. Absent: such a bill is refused. */
  readonly contactPhone?: string | undefined;
  readonly contactEmail?: string | undefined;
  /** The name that providers, billers and receivers see. */
  readonly businessName: string;
  /** How long after an attempt began "not found" is not believed. */
  readonly notFoundGraceMs: number;
  /** The factor of durations that have no setting. */
  readonly timeScale: number;
  /** The limits of each provider whose defaults are replaced, by the provider's name. */
  readonly providerLimits: ReadonlyMap<string, ProviderLimits>;
};

/** The input for opening a connector: its settings, and overrides of tests. */
export type ProviderSettings<
  Settings extends ConnectorSettings<unknown>,
  Common extends keyof CommonSettings = never,
> = Omit<ProviderUpstreamSettings, 'provider'> &
  Omit<ReadSettings<Settings>, 'refusalGraceMs'> &
  Pick<CommonSettings, Common> & {
    readonly notFoundGraceMs: number;
    /**
     * The age from which a lookup confirms an unproven refusal. Absent, or 0: the first lookup
     * does.
     */
    readonly refusalGraceMs?: number;
    readonly now?: () => Date;
  };

/** Reads the settings of an account, and adds the named ones of the gateway. */
export function withCommon<Own extends object, Name extends keyof CommonSettings>(
  settings: ConnectorSettings<Own>,
  ...names: readonly Name[]
) {
  return (
    read: SettingsReader,
    common: Pick<CommonSettings, Name>,
  ): (Own & Pick<CommonSettings, Name>) | undefined => {
    const own = settings.read(read);
    const named = Object.fromEntries(names.map((name) => [name, common[name]]));
    return own && { ...own, ...(named as Pick<CommonSettings, Name>) };
  };
}

/** The headers of a request, by their names in lower case. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request to `/hooks/<name>`. Anybody can send one. */
export type Callback = {
  /** The body, parsed as JSON. */
  readonly body: unknown;
  readonly headers: Headers;
  /** The body as text, unchanged, for checking a signature. */
  readonly raw: string;
  readonly receivedAt: Date;
};

/** Returns the order that a callback names. Undefined when it names none or is not authentic. */
type ReadCallback = (callback: Callback) => { readonly reference: string } | undefined;

/**
 * Where a file is tried: at a simulator, or at the provider with these settings, without a
 * purchase.
 */
export type CheckPlace =
  | { readonly simulatorUrl: string }
  | { readonly variables: Readonly<Record<string, string | undefined>> };

/** A check of a file, and its findings. Never a secret. */
export type FileCheck = { readonly what: string; readonly isGood: boolean; readonly found: string };

/** Tries the text of a file. Never rejects because of the file's content. */
type CheckFile = (text: string, place: CheckPlace) => Promise<readonly FileCheck[]>;

type ProviderSpec<Settings> = {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string;
  readonly products: readonly ProductName[];
  /** Default: `live`. */
  readonly environment?: Environment;
  /** Default: none. */
  readonly sellsWithoutCodes?: readonly ProductName[];
  /** Default: none. */
  readonly wholeNairaOnly?: readonly ProductName[];
  /** Undefined when no settings are set: the provider is not used. Adds faults to the reader. */
  readonly readSettings: (read: SettingsReader, common: CommonSettings) => Settings | undefined;
  /**
   * Every setting that `readSettings` reads, which the operator can store sealed in the database.
   * Absent: the settings come from the environment only.
   */
  readonly settings?: SettingKinds;
  /**
   * Returns the settings for the demo's simulator. Absent when it does not simulate the provider.
   */
  readonly simulated?: (simulatorUrl: string, common: CommonSettings) => Settings;
  /**
   * Opens the connections. Load the connector here, because few commands of the command line call a
   * provider. `tokens` is undefined where no other process can use the account.
   */
  readonly connect: (settings: Settings, tokens: SharedTokens | undefined) => Connector | Promise<Connector>;
  /** The mapping of the provider's statement files. Absent: the operator supplies one. */
  readonly statementMapping?: StatementMapping;
  /** Undefined when callbacks are not accepted with these settings. Absent: never accepted. */
  readonly readCallbacks?: (settings: Settings) => ReadCallback | undefined;
  /** Tries the file that describes an account. Absent: no file does. */
  readonly checkFile?: CheckFile;
};

/** A provider with its settings, before its connections are opened. */
export type ConfiguredProvider = {
  readonly name: string;
  /** Opens the connections. Dispose of the provider to close them. */
  open(tokens?: SharedTokens): Promise<Provider>;
  readonly readCallback: ReadCallback | undefined;
};

export type ProviderDefinition = ProviderFacts & {
  /** The name of the connector, which the accounts at one provider have in common. */
  readonly connector: string;
  /** Undefined when the provider has no settings. */
  read(read: SettingsReader, common: CommonSettings): ConfiguredProvider | undefined;
  /** The settings that can be stored sealed. */
  readonly settings: SettingKinds;
  /** The mapping of the provider's statement files; undefined when none is known. */
  readonly statementMapping: StatementMapping | undefined;
  /** Configures the provider for the demo's simulator; undefined when it is not simulated. */
  readonly simulate: ((simulatorUrl: string, common: CommonSettings) => ConfiguredProvider) | undefined;
  /** Tries the file that describes an account; undefined when no file does. */
  readonly checkFile?: CheckFile | undefined;
};

/** A definition for callers that have the settings already. */
export type TypedProviderDefinition<Settings> = ProviderDefinition & {
  configure(settings: Settings): ConfiguredProvider;
};

/** The form of a name that `/hooks/<name>` accepts. */
export const PROVIDER_NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

export function defineProvider<Settings>(spec: ProviderSpec<Settings>): TypedProviderDefinition<Settings> {
  const { name, environment = 'live', simulated } = spec;
  if (!PROVIDER_NAME.test(name))
    throw new Error(`"${name}" is not a valid provider name: use lower-case letters, digits and hyphens`);
  const facts: ProviderFacts = {
    name,
    products: new Set(spec.products),
    environment,
    sellsWithoutCodes: new Set(spec.sellsWithoutCodes),
    wholeNairaOnly: new Set(spec.wholeNairaOnly),
  };
  const configure = (settings: Settings): ConfiguredProvider => ({
    name,
    open: async (tokens) => Object.assign(await spec.connect(settings, tokens), facts),
    readCallback: spec.readCallbacks?.(settings),
  });
  return {
    ...facts,
    connector: name,
    settings: spec.settings ?? {},
    statementMapping: spec.statementMapping,
    checkFile: spec.checkFile,
    configure,
    read: (read, common) => {
      const settings = spec.readSettings(read, common);
      return settings && configure({ ...settings, ...common.providerLimits.get(name) });
    },
    simulate: simulated && ((simulatorUrl, common) => configure(simulated(simulatorUrl, common))),
  };
}
