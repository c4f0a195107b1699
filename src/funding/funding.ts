/** The funding of a gateway process: accounts of merchants, notices of banks, background work. */

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
  /** Tells whether the merchant's document is stored already. */
  hasDocument(principal: Principal): Promise<boolean>;
  /** Tells whether the merchant has an account in the currency, active or pending. */
  hasAccount(principal: Principal, currency: Currency): Promise<boolean>;
  /** Plays a customer's transfer, with test credentials. */
  playDeposit(principal: Principal, transfer: TestTransfer): Promise<PlayedDeposit>;
  takeNotice(provider: string, bytes: Uint8Array, headers: Headers): Promise<'taken' | 'forged' | 'nobody'>;
  /** The background work. src/app/jobs.ts has its schedule. */
  readonly background: {
    /** Reads announced payments back. */
    confirmPayments(): Promise<number>;
    /** Requests accounts that are not settled. */
    settleAccounts(): Promise<number>;
    /** Lists the payments of each account every `everyMs`. */
    sweepPayments(everyMs: number): Promise<number>;
    /** Deletes identity documents that are at least this many days old. */
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
