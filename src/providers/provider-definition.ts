/**
 * The definition that the `index.ts` of a provider's folder exports. It says everything of the
 * provider, so that a provider is its folder and one line of `registry.ts`. The type of the
 * settings is hidden, since a registry lists providers whose settings have nothing in common.
 */
import type { SettingKinds } from '../core/connector-settings.ts';
import type { Environment } from '../core/environment.ts';
import type { ProductName } from '../core/products/product.ts';
import type { SettingsReader } from '../core/settings-reader.ts';
import type { Connector, Provider, ProviderFacts } from './provider.ts';
import type { StatementMapping } from './statements/statement-mapping.ts';

/** Settings of the gateway for every provider that has no such setting of its own. */
export type CommonSettings = {
  /** How long "never heard of it" is not believed after an attempt began. */
  readonly notFoundGraceMs: number;
  /** What durations without a setting are multiplied by. */
  readonly timeScale: number;
};

/** By name in lower case, as Node has them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request to `/hooks/<name>`, which anybody can make. */
export type Callback = {
  /** Read as JSON. */
  readonly body: unknown;
  readonly headers: Headers;
  /** The body as it came, as text, for checking a signature. */
  readonly raw: string;
  readonly receivedAt: Date;
};

/**
 * The order that a callback speaks of; undefined where it names none, or is not authentic. Pure.
 */
type ReadCallback = (callback: Callback) => { readonly reference: string } | undefined;

type ProviderSpec<Settings> = {
  /** Small letters, digits and hyphens. */
  readonly name: string;
  readonly products: readonly ProductName[];
  /** Default: `live`. */
  readonly environment?: Environment;
  /** Default: none. */
  readonly sellsWithoutCodes?: readonly ProductName[];
  /** Default: none. */
  readonly wholeNairaOnly?: readonly ProductName[];
  /**
   * Undefined where no settings are given: the provider is not used. Faults are added to those of
   * the reader.
   */
  readonly readSettings: (read: SettingsReader, common: CommonSettings) => Settings | undefined;
  /**
   * All that `readSettings` reads. The operator may store them sealed in the database. Absent: they
   * come from the environment alone.
   */
  readonly settings?: SettingKinds;
  /**
   * The settings of the account at the demo's simulator. Absent where it does not play the
   * provider.
   */
  readonly simulated?: (simulatorUrl: string, common: CommonSettings) => Settings;
  /**
   * Opens the connections. The connector may be loaded only here, since few of the operator's
   * commands call a provider.
   */
  readonly connect: (settings: Settings) => Connector | Promise<Connector>;
  /** How the statement files that it exports are read. Absent: the operator gives a mapping. */
  readonly statementMapping?: StatementMapping;
  /** Undefined where callbacks are not taken with these settings. Absent: never. */
  readonly readCallbacks?: (settings: Settings) => ReadCallback | undefined;
};

/** A provider with its settings, before its connections are opened. */
export type ConfiguredProvider = {
  readonly name: string;
  /** Dispose of it to end its connections. */
  open(): Promise<Provider>;
  readonly readCallback: ReadCallback | undefined;
};

export type ProviderDefinition = ProviderFacts & {
  /** Undefined where its settings are not given. */
  read(read: SettingsReader, common: CommonSettings): ConfiguredProvider | undefined;
  /** Those that can be stored sealed. */
  readonly settings: SettingKinds;
  /** Of the statement files that it exports; absent where none is known. */
  readonly statementMapping: StatementMapping | undefined;
  /** As the demo's simulator plays it; absent where it does not. */
  readonly simulate: ((simulatorUrl: string, common: CommonSettings) => ConfiguredProvider) | undefined;
};

/** For a caller that has the settings already. */
export type TypedProviderDefinition<Settings> = ProviderDefinition & {
  configure(settings: Settings): ConfiguredProvider;
};

/** As `/hooks/<name>` takes it. */
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

export function defineProvider<Settings>(spec: ProviderSpec<Settings>): TypedProviderDefinition<Settings> {
  const { name, environment = 'live', simulated } = spec;
  if (!NAME.test(name)) throw new Error(`"${name}" is no name of a provider: small letters, digits, hyphens`);
  const facts: ProviderFacts = {
    name,
    products: new Set(spec.products),
    environment,
    sellsWithoutCodes: new Set(spec.sellsWithoutCodes),
    wholeNairaOnly: new Set(spec.wholeNairaOnly),
  };
  const configure = (settings: Settings): ConfiguredProvider => ({
    name,
    open: async () => Object.assign(await spec.connect(settings), facts),
    readCallback: spec.readCallbacks?.(settings),
  });
  return {
    ...facts,
    settings: spec.settings ?? {},
    statementMapping: spec.statementMapping,
    configure,
    read: (read, common) => {
      const settings = spec.readSettings(read, common);
      return settings === undefined ? undefined : configure(settings);
    },
    simulate: simulated && ((simulatorUrl, common) => configure(simulated(simulatorUrl, common))),
  };
}
