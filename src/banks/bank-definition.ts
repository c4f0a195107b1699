/**
 * What the `index.ts` of a bank's folder says: everything of the bank, so that it is its folder and
 * one line of `registry.ts`. The type of its settings stays inside: a registry lists banks whose
 * settings have nothing in common.
 */
import type { Sql } from '../db/database.ts';
import type { Environment } from '../kernel/environment.ts';
import type { Currency } from '../kernel/money.ts';
import type { SettingsReader } from '../kernel/settings-reader.ts';
import type { BankConnector, BankFacts, FundingProvider } from './funding-provider.ts';

/** What a bank may use of the gateway. */
type BankHost = { readonly sql: Sql };

/** A customer's transfer of play money. */
type PlayTransfer = {
  readonly accountNumber: string;
  readonly currency: Currency;
  /** In minor units. */
  readonly amount: bigint;
};

/**
 * Plays a customer who pays into an account of the bank; gives the bank's reference of the
 * transfer.
 */
type PayIn = (sql: Sql, transfer: PlayTransfer) => Promise<string>;

type BankSpec<Settings> = {
  /** Small letters, digits and hyphens. */
  readonly name: string;
  /** Default: `live`. */
  readonly environment?: Environment;
  readonly currencies: readonly Currency[];
  readonly keyedByEmail: boolean;
  /**
   * Undefined where none are given: the bank is not used. What is wrong with them goes to the
   * reader's faults.
   */
  readonly readSettings: (read: SettingsReader) => Settings | undefined;
  /** Absent where the demo's simulator does not play the bank. */
  readonly simulatedSettings?: (simulatorUrl: string) => Settings;
  /** Opens the connections. It may be loaded only here: the operator's commands call no bank. */
  readonly connect: (settings: Settings, host: BankHost) => BankConnector | Promise<BankConnector>;
  /** Absent where money is money. */
  readonly payIn?: PayIn;
};

/** A bank with its settings, and no connection as yet. */
export type ConfiguredBank = {
  readonly name: string;
  /** Dispose of it to end its connections. */
  open(host: BankHost): Promise<FundingProvider>;
};

export type BankDefinition = BankFacts & {
  /** Undefined where its settings are not given. */
  read(read: SettingsReader): ConfiguredBank | undefined;
  /** As the demo's simulator plays it; absent where it does not. */
  readonly simulate: ((simulatorUrl: string) => ConfiguredBank) | undefined;
  readonly payIn: PayIn | undefined;
};

/** For whoever has its settings at hand. */
export type TypedBankDefinition<Settings> = BankDefinition & {
  configure(settings: Settings): ConfiguredBank;
};

/** As `/hooks/<name>` takes it. */
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

export function defineBank<Settings>(spec: BankSpec<Settings>): TypedBankDefinition<Settings> {
  const { name, environment = 'live', currencies, keyedByEmail, simulatedSettings } = spec;
  if (!NAME.test(name)) throw new Error(`"${name}" is no name of a bank: small letters, digits, hyphens`);
  const facts: BankFacts = { name, environment, currencies, keyedByEmail };
  const configure = (settings: Settings): ConfiguredBank => ({
    name,
    open: async (host) => Object.assign(await spec.connect(settings, host), facts),
  });
  return {
    ...facts,
    configure,
    read: (read) => {
      const settings = spec.readSettings(read);
      return settings === undefined ? undefined : configure(settings);
    },
    simulate: simulatedSettings && ((simulatorUrl) => configure(simulatedSettings(simulatorUrl))),
    payIn: spec.payIn,
  };
}
