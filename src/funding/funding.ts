/** Puts funding together for one gateway process: accounts for merchants, notices from providers, and the work behind them. */
import type { Headers } from '../banks/funding-provider.ts';
import type { Currency } from '../kernel/money.ts';
import { repeat } from '../kernel/repeat.ts';
import type { Caller } from '../merchants/merchant.ts';
import { confirmPayments } from './confirm-payments.ts';
import { findOwnFundingAccount } from './find-funding-account.ts';
import type { FundingAccount } from './funding-account.ts';
import type { FundingDesk } from './funding-desk.ts';
import { openFundingAccount } from './open-funding-account.ts';
import type { Registration } from './registration.ts';
import { settleAccounts } from './settle-accounts.ts';
import { sweepPayments } from './sweep-payments.ts';
import { takeNotice } from './take-notice.ts';

export type Funding = AsyncDisposable & {
  openAccount(caller: Caller, registration: Registration): Promise<FundingAccount>;
  findAccount(caller: Caller, currency: Currency): Promise<FundingAccount>;
  takeNotice(provider: string, bytes: Uint8Array, headers: Headers): Promise<'taken' | 'forged' | 'nobody'>;
};

export type FundingOptions = FundingDesk & {
  readonly role: 'api' | 'worker' | 'all';
  /** How often each account's payments are listed. */
  readonly sweepMs: number;
};

const LOOK_MS = 500;

/** Disposing it waits for what is under way. */
export function startFunding(options: FundingOptions): Funding {
  const { role, sweepMs, log } = options;
  const work = new AsyncDisposableStack();
  if (role !== 'api') {
    const warn = (what: string) => (error: unknown) => log.warn({ err: error }, what);
    work.use(repeat(LOOK_MS, () => confirmPayments(options), warn('cannot read payments back')));
    work.use(repeat(LOOK_MS, () => settleAccounts(options), warn('cannot ask for accounts')));
    const sweepLookMs = Math.min(sweepMs, 5_000);
    work.use(repeat(sweepLookMs, () => sweepPayments(options, sweepMs), warn('cannot list payments')));
  }
  return {
    openAccount: (caller, registration) => openFundingAccount(options, caller, registration),
    findAccount: (caller, currency) => findOwnFundingAccount(options.database, caller, currency),
    takeNotice: (provider, bytes, headers) => takeNotice(options, provider, bytes, headers),
    [Symbol.asyncDispose]: () => work.disposeAsync(),
  };
}
