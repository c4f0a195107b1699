/** The dependencies of funding. */
import type { KeyObject } from 'node:crypto';
import type { Clock } from '../core/clock.ts';
import type { Environment } from '../core/environment.ts';
import type { Failpoints } from '../core/failpoints.ts';
import type { IdSource } from '../core/ids.ts';
import type { Logger } from '../core/log.ts';
import type { Currency } from '../core/money.ts';
import type { Sealer } from '../core/sealing.ts';
import type { Database } from '../db/database.ts';
import { doublingPause } from '../db/queue/leased-queue.ts';
import type { HouseAccounts } from '../wallet/ledger/house-accounts.ts';
import type { PayIn } from './banks/bank-definition.ts';
import type { FundingProvider } from './banks/funding-provider.ts';

export type FundingDependencies = {
  readonly database: Database;
  /** All banks by name, also those that open no new accounts. */
  readonly providers: ReadonlyMap<string, FundingProvider>;
  /** The bank that opens new live accounts; undefined when none is configured. */
  readonly liveProvider: string | undefined;
  /** Plays a customer's payment, by the name of the bank, for banks with play money. */
  readonly payIns: ReadonlyMap<string, PayIn>;
  readonly sealer: Sealer;
  /** Hashes e-mail addresses. It outlives the keys of the sealer. */
  readonly pepper: KeyObject;
  readonly houseAccounts: HouseAccounts;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly failpoints: Failpoints;
  readonly log: Logger;
  /** The factor of pauses; absent: 1. */
  readonly timeScale?: number;
};

/** Returns the bank that opens new accounts in a currency; undefined when none does. */
export function providerFor(
  dependencies: Pick<FundingDependencies, 'providers' | 'liveProvider'>,
  environment: Environment,
  currency: Currency,
): FundingProvider | undefined {
  const { providers, liveProvider } = dependencies;
  const provider =
    environment === 'live'
      ? providers.get(liveProvider ?? '')
      : [...providers.values()].find((bank) => bank.environment === environment);
  return provider?.environment === environment && provider.currencies.includes(currency)
    ? provider
    : undefined;
}

/** Returns the pause before the next try: 5 s, 10 s, 20 s … 10 min. */
export const pauseAfter = doublingPause(5_000, 600_000);
