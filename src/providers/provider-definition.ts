/**
 * What the `index.ts` of a provider's folder says: everything of the provider, so that it is its
 * folder and one line of `registry.ts`. The type of its settings stays inside: a registry lists
 * providers whose settings have nothing in common.
 */
import type { Environment } from '../kernel/environment.ts';
import type { SettingsReader } from '../kernel/settings-reader.ts';
import type { VendProduct } from '../products/product.ts';
import type { Connector, Provider, ProviderFacts } from './provider.ts';

/** Settings of the gateway that hold for every provider without such a setting of its own. */
export type CommonSettings = {
  /** How long "never heard of it" is not believed after an attempt began. */
  readonly notFoundGraceMs: number;
};

/** By name in lower case, as Node has them. */
export type Headers = Readonly<Record<string, string | readonly string[] | undefined>>;

/** A request to `/hooks/<name>`, which anybody can make. */
export type Callback = {
  /** Read as JSON. */
  readonly body: unknown;
  readonly headers: Headers;
  /** The body as it came, as text: what a signature is over. */
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
  readonly products: readonly VendProduct[];
  /** Default: `live`. */
  readonly environment?: Environment;
  /** Default: none. */
  readonly sellsWithoutCodes?: readonly VendProduct[];
  /**
   * Undefined where none are given: the provider is not used. What is wrong with them goes to the
   * reader's faults.
   */
  readonly readSettings: (read: SettingsReader, common: CommonSettings) => Settings | undefined;
  /** Absent where the demo's simulator does not play the provider. */
  readonly simulated?: {
    readonly settings: (simulatorUrl: string, common: CommonSettings) => Settings;
    /** The simulator's setting for where it calls back to; absent where it does not. */
    readonly callbackSetting?: string;
  };
  /**
   * Opens the connections. It may be loaded only here: few commands of the operator call a
   * provider.
   */
  readonly connect: (settings: Settings) => Connector | Promise<Connector>;
  /** Undefined where callbacks are not taken with these settings. Absent: never. */
  readonly readCallbacks?: (settings: Settings) => ReadCallback | undefined;
};

/** A provider with its settings, and no connection as yet. */
export type ConfiguredProvider = {
  readonly name: string;
  /** Dispose of it to end its connections. */
  open(): Promise<Provider>;
  readonly readCallback: ReadCallback | undefined;
};

export type ProviderDefinition = ProviderFacts & {
  /** Undefined where its settings are not given. */
  read(read: SettingsReader, common: CommonSettings): ConfiguredProvider | undefined;
  /** As the demo's simulator plays it; absent where it does not. */
  readonly simulated:
    | {
        configure(simulatorUrl: string, common: CommonSettings): ConfiguredProvider;
        readonly callbackSetting: string | undefined;
      }
    | undefined;
};

/** For whoever has its settings at hand. */
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
  };
  const configure = (settings: Settings): ConfiguredProvider => ({
    name,
    open: async () => Object.assign(await spec.connect(settings), facts),
    readCallback: spec.readCallbacks?.(settings),
  });
  return {
    ...facts,
    configure,
    read: (read, common) => {
      const settings = spec.readSettings(read, common);
      return settings === undefined ? undefined : configure(settings);
    },
    simulated: simulated && {
      configure: (simulatorUrl, common) => configure(simulated.settings(simulatorUrl, common)),
      callbackSetting: simulated.callbackSetting,
    },
  };
}
