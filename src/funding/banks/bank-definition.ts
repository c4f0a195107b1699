/**
 * The definition that the `index.ts` of a bank's folder exports. Adding a bank takes its folder and
 * one line of `registry.ts`. The type of the settings is hidden, because the registry lists banks
 * with different settings.
 */

import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { Sql } from '../../db/database.ts';
import type { StatementMapping } from '../../providers/statements/statement-mapping.ts';
import type { BankConnector, BankFacts, FundingProvider } from './funding-provider.ts';

/** The parts of the gateway that a bank may use. */
type BankHost = { readonly sql: Sql };

/** A customer's transfer of play money. */
type PlayTransfer = {
  readonly accountNumber: string;
  readonly currency: Currency;
  /** In minor units. */
  readonly amount: bigint;
};

/**
 * Plays a customer's payment and returns the bank's reference of the transfer. A `reference` is
 * played once; undefined when it belongs to another transfer.
 */
export type PayIn = (sql: Sql, transfer: PlayTransfer, reference?: string) => Promise<string | undefined>;

type BankSpec<Settings> = {
  /** Lower-case letters, digits and hyphens. */
  readonly name: string;
  /** Default: `live`. */
  readonly environment?: Environment;
  readonly currencies: readonly Currency[];
  readonly keyedByEmail: boolean;
  /** Undefined when no settings are set: the bank is not used. Adds faults to the reader. */
  readonly readSettings: (read: SettingsReader) => Settings | undefined;
  /** Returns the settings for the demo's simulator. Absent when it does not simulate the bank. */
  readonly simulatedSettings?: (simulatorUrl: string) => Settings;
  /** Whether these settings name a test account, whose payments are play money. Default: no. */
  readonly isTestAccount?: (settings: Settings) => boolean;
  /** Opens the connections. Load the connector here, because commands call no bank. */
  readonly connect: (settings: Settings, host: BankHost) => BankConnector | Promise<BankConnector>;
  /** The mapping of the bank's statement files. Absent: the operator supplies one. */
  readonly statementMapping?: StatementMapping;
  /** Absent for banks with real money. */
  readonly payIn?: PayIn;
};

/** A bank with its settings, before its connections are opened. */
export type ConfiguredBank = {
  readonly name: string;
  /** Whether its payments are play money, as with a bank's keys for tests. */
  readonly isTestAccount: boolean;
  /** Opens the connections. Dispose of the bank to close them. */
  open(host: BankHost): Promise<FundingProvider>;
};

export type BankDefinition = BankFacts & {
  /** Undefined when the bank has no settings. */
  read(read: SettingsReader): ConfiguredBank | undefined;
  /** Configures the bank for the demo's simulator; undefined when it is not simulated. */
  readonly simulate: ((simulatorUrl: string) => ConfiguredBank) | undefined;
  readonly payIn: PayIn | undefined;
  /** The mapping of the bank's statement files; undefined when none is known. */
  readonly statementMapping: StatementMapping | undefined;
};

/** A definition for callers that have the settings already. */
export type TypedBankDefinition<Settings> = BankDefinition & {
  configure(settings: Settings): ConfiguredBank;
};

/** The form of a name that `/hooks/<name>` accepts. */
const NAME = /^[a-z0-9][a-z0-9-]{0,39}$/;

export function defineBank<Settings>(spec: BankSpec<Settings>): TypedBankDefinition<Settings> {
  const { name, environment = 'live', currencies, keyedByEmail, simulatedSettings } = spec;
  if (!NAME.test(name))
    throw new Error(`"${name}" is not a valid bank name: use lower-case letters, digits and hyphens`);
  const facts: BankFacts = { name, environment, currencies, keyedByEmail };
  const configure = (settings: Settings): ConfiguredBank => ({
    name,
    isTestAccount: environment === 'live' && (spec.isTestAccount?.(settings) ?? false),
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
    statementMapping: spec.statementMapping,
  };
}
