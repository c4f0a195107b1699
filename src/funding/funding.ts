/**
 * Puts funding together for one gateway process: accounts for merchants, notices from providers,
 * and the work behind them.
 */

import type { Currency } from '../core/money.ts';
import { answerSoon } from '../db/answer-soon.ts';
import type { Principal } from '../merchants/merchant.ts';
import type { Headers } from './banks/funding-provider.ts';
import { confirmPayments } from './confirm-payments.ts';
import { type FundingAccount, findOwnFundingAccount } from './funding-account.ts';
import { findFundingAccount } from './funding-account-store.ts';
import type { FundingDependencies } from './funding-dependencies.ts';
import { hasDocument } from './identity-store.ts';
import { openFundingAccount } from './open-funding-account.ts';
import { forgetDocuments } from './operations/documents.ts';
import { type PlayedDeposit, playDeposit, type TestTransfer } from './play-deposit.ts';
import type { Registrant, Registration } from './registration.ts';
import { settleAccounts } from './settle-accounts.ts';
import { sweepPayments } from './sweep-payments.ts';
import { takeNotice } from './take-notice.ts';

export type Funding = {
  openAccount(principal: Registrant, registration: Registration): Promise<FundingAccount>;
  findAccount(principal: Principal, currency: Currency): Promise<FundingAccount>;
  /** Whether a further document of the merchant would change nothing. */
  hasDocument(principal: Principal): Promise<boolean>;
  /** Whether the merchant has an account in the currency, open or being opened. */
  hasAccount(principal: Principal, currency: Currency): Promise<boolean>;
  /** Plays a customer's transfer, with test credentials. */
  playDeposit(principal: Principal, transfer: TestTransfer): Promise<PlayedDeposit>;
  takeNotice(provider: string, bytes: Uint8Array, headers: Headers): Promise<'taken' | 'forged' | 'nobody'>;
  /** The work behind it. When it runs is said in src/app/jobs.ts. */
  readonly background: {
    /** Reads payments back that were told of. */
    confirmPayments(): Promise<number>;
    /** Asks for accounts that are not settled. */
    settleAccounts(): Promise<number>;
    /** Lists the payments of accounts, each every so many milliseconds. */
    sweepPayments(everyMs: number): Promise<number>;
    /** Deletes documents of identity that came so many days ago or earlier. */
    forgetDocuments(days: number): Promise<void>;
  };
};

export function createFunding(dependencies: FundingDependencies): Funding {
  return {
    openAccount: (principal, registration) => openFundingAccount(dependencies, principal, registration),
    findAccount: (principal, currency) =>
      answerSoon(findOwnFundingAccount(dependencies.database, principal, currency)),
    hasDocument: ({ merchant, environment }) =>
      hasDocument(dependencies.database, { merchantId: merchant.id, environment }),
    hasAccount: async ({ merchant, environment }, currency) => {
      const key = { merchantId: merchant.id, environment, currency };
      const row = await findFundingAccount(dependencies.database, key);
      return row?.status === 'active' || row?.status === 'pending';
    },
    playDeposit: (principal, transfer) => playDeposit(dependencies, principal, transfer),
    takeNotice: (provider, bytes, headers) => takeNotice(dependencies, provider, bytes, headers),
    background: {
      confirmPayments: () => confirmPayments(dependencies),
      settleAccounts: () => settleAccounts(dependencies),
      sweepPayments: (everyMs) => sweepPayments(dependencies, everyMs),
      forgetDocuments: async (days) => {
        const old = { days, merchantCode: undefined };
        await dependencies.database.transaction((tx) => forgetDocuments(tx, old, 'oja'));
      },
    },
  };
}
