/** What the operations of funding work with. */
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
  /** By name: all that accounts may be at, also those that get no new ones. */
  readonly providers: ReadonlyMap<string, FundingProvider>;
  /**
   * The name of the one that new live accounts are opened at; undefined when none is configured.
   */
  readonly liveProvider: string | undefined;
  /** How a customer is played who pays in, by the name of the bank: of those with play money. */
  readonly payIns: ReadonlyMap<string, PayIn>;
  readonly sealer: Sealer;
  /** Names e-mail addresses without giving them away; it outlives the keys of the sealer. */
  readonly pepper: KeyObject;
  readonly houseAccounts: HouseAccounts;
  readonly clock: Clock;
  readonly newId: IdSource;
  readonly failpoints: Failpoints;
  readonly log: Logger;
  /** What pauses are multiplied by; absent: 1. */
  readonly timeScale?: number;
};

/** Who opens new accounts in a currency; undefined when nobody does. */
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

/**
 * 5 s, 10 s, 20 s … 10 min: how long to wait before something that came to nothing is tried for the
 * next time.
 */
export const pauseAfter = doublingPause(5_000, 600_000);
