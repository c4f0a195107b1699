/** Funding with one scripted bank. */
import { createSecretKey, randomBytes } from 'node:crypto';
import { systemClock } from '../../src/core/clock.ts';
import { noFailpoints } from '../../src/core/failpoints.ts';
import { newId } from '../../src/core/ids.ts';
import { createLog } from '../../src/core/log.ts';
import { createSealer, newSealingKey } from '../../src/core/sealing.ts';
import type { Database } from '../../src/db/database.ts';
import type { FundingProvider } from '../../src/funding/banks/funding-provider.ts';
import type { FundingDependencies } from '../../src/funding/funding-dependencies.ts';
import { createHouseAccounts } from '../../src/wallet/ledger/house-accounts.ts';

export function fundingBy(database: Database, bank: FundingProvider): FundingDependencies {
  return {
    database,
    providers: new Map([[bank.name, bank]]),
    liveProvider: bank.name,
    payIns: new Map(),
    sealer: createSealer(newSealingKey()),
    pepper: createSecretKey(randomBytes(32)),
    houseAccounts: createHouseAccounts(database),
    clock: systemClock,
    newId,
    failpoints: noFailpoints,
    log: createLog('silent'),
  };
}
