/**
 * The definition that the `index.ts` of a bank's folder exports. It says everything of the bank, so
 * that a bank is its folder and one line of `registry.ts`. The type of the settings is hidden,
 * since a registry lists banks whose settings have nothing in common.
 */

import type { Environment } from '../../core/environment.ts';
import type { Currency } from '../../core/money.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { Sql } from '../../db/database.ts';
import type { StatementMapping } from '../../providers/statements/statement-mapping.ts';
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
 * transfer. With a `reference` it is played once; undefined where that was another transfer.
 */
export type PayIn = (sql: Sql, transfer: PlayTransfer, reference?: string) => Promise<string | undefined>;

type BankSpec<Settings> = {
  /** Small letters, digits and hyphens. */
  readonly name: string;
  /** Default: `live`. */
  readonly environment?: Environment;
  readonly currencies: readonly Currency[];
  readonly keyedByEmail: boolean;
  /**
   * Undefined where no settings are given: the bank is not used. Faults are added to those of the
   * reader.
   */
  readonly readSettings: (read: SettingsReader) => Settings | undefined;
  /** Absent where the demo's simulator does not play the bank. */
  readonly simulatedSettings?: (simulatorUrl: string) => Settings;
  /**
   * Opens the connections. The connector may be loaded only here, since the operator's commands
   * call no bank.
   */
  readonly connect: (settings: Settings, host: BankHost) => BankConnector | Promise<BankConnector>;
  /** How the statement files that it exports are read. Absent: the operator gives a mapping. */
  readonly statementMapping?: StatementMapping;
  /** Absent at banks with real money. */
  readonly payIn?: PayIn;
};

/** A bank with its settings, before its connections are opened. */
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
  /** Of the statement files that it exports; undefined where none is known. */
  readonly statementMapping: StatementMapping | undefined;
};

/** For a caller that has the settings already. */
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
    statementMapping: spec.statementMapping,
  };
}
