/**
 * Plays a customer who pays into the funding account of test credentials. The transfer and its
 * notice are stored in one transaction. The payment is then read back and credited like any other,
 * at once, or by the worker if this process dies.
 *
 * No operator is needed: a merchant without a test account gets one. That neither enables funding
 * nor registers a person.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { GatewayError, invariant } from '../core/errors.ts';
import type { Currency } from '../core/money.ts';
import type { Principal } from '../merchants/merchant.ts';
import { lockMerchant } from '../merchants/merchant-store.ts';
import { confirmPayments } from './confirm-payments.ts';
import { type DepositRow, findDepositOf } from './deposit-store.ts';
import {
  type AccountKey,
  type FundingAccountRow,
  findFundingAccount,
  markActive,
  markRequested,
} from './funding-account-store.ts';
import { type FundingDependencies, providerFor } from './funding-dependencies.ts';
import { insertNotices } from './notice-store.ts';
import { referenceOf } from './open-funding-account.ts';

export type TestTransfer = {
  readonly currency: Currency;
  /** In minor units. */
  readonly amount: bigint;
  /** The merchant's own reference, which is played once. */
  readonly reference: string | undefined;
};

export type PlayedDeposit = {
  readonly accountNumber: string;
  /** The bank's reference of the transfer. */
  readonly reference: string;
  /** Undefined until it is credited. */
  readonly deposit: DepositRow | undefined;
};

/** How long the caller waits for the credit. */
const WAIT_MS = 3_000;
const LOOK_MS = 100;

/**
 * Plays a deposit. Throws GatewayError: `test_credentials_only`, `no_wallet`, `no_bank`,
 * `test_deposit_differs`.
 */
export async function playDeposit(
  dependencies: FundingDependencies,
  principal: Principal,
  { currency, amount, reference }: TestTransfer,
): Promise<PlayedDeposit> {
  const { database, failpoints, payIns, newId } = dependencies;
  const { merchant, environment } = principal;
  if (environment !== 'test') throw new GatewayError({ code: 'test_credentials_only' });
  const account = await testAccount(dependencies, principal, currency);
  const payIn = payIns.get(account.provider);
  const { account_number: accountNumber, provider } = account;
  if (payIn === undefined || accountNumber === null) throw new GatewayError({ code: 'no_bank', currency });
  const paid = await database.transaction(async (tx) => {
    // References are the merchant's own.
    const named = `${merchant.id}-${reference ?? newId()}`;
    const played = await payIn(tx, { accountNumber, currency, amount }, named);
    if (played === undefined) {
      throw new GatewayError({ code: 'test_deposit_differs', reference: reference ?? named });
    }
    await insertNotices(tx, provider, [played], 'notice');
    return played;
  });
  await failpoints.reach('after-notice-stored');
  return { accountNumber, reference: paid, deposit: await credited(dependencies, provider, paid) };
}

/** Credits the payment like the worker, for this bank only, so that no real bank is called. */
async function credited(
  dependencies: FundingDependencies,
  name: string,
  reference: string,
): Promise<DepositRow | undefined> {
  const { database, providers, clock } = dependencies;
  const provider = providers.get(name);
  invariant(provider !== undefined, 'an account is at a bank of this gateway');
  const untilMs = clock.elapsedMs() + WAIT_MS;
  await confirmPayments({ ...dependencies, providers: new Map([[name, provider]]) });
  for (;;) {
    const deposit = await findDepositOf(database, name, reference);
    // Another process may have claimed the notice.
    if (deposit !== undefined || clock.elapsedMs() > untilMs) return deposit;
    await sleep(LOOK_MS);
  }
}

/** Returns the merchant's test account of the currency, or opens one. */
async function testAccount(
  dependencies: FundingDependencies,
  principal: Principal,
  currency: Currency,
): Promise<FundingAccountRow> {
  const { merchant, environment } = principal;
  const key: AccountKey = { merchantId: merchant.id, environment, currency };
  const found = await findFundingAccount(dependencies.database, key);
  if (found?.status === 'active') return found;
  const walletId = merchant.wallets.get(currency);
  if (walletId === undefined) throw new GatewayError({ code: 'no_wallet', currency });
  const provider = providerFor(dependencies, environment, currency);
  if (provider === undefined || !dependencies.payIns.has(provider.name)) {
    throw new GatewayError({ code: 'no_bank', currency });
  }
  const request = { provider: provider.name, reference: referenceOf(dependencies, key) };
  const opened = await provider.openAccount({ ...request, currency, identity: placeholder(merchant) }, false);
  if (opened.kind !== 'active') throw new GatewayError({ code: 'no_bank', currency });
  return await dependencies.database.transaction(async (tx) => {
    await lockMerchant(tx, merchant.code);
    const before = await findFundingAccount(tx, key);
    if (before?.status !== 'active') {
      await markRequested(tx, key, { ...request, walletId, customerHash: undefined });
      await markActive(tx, key, request, opened.account);
    }
    const account = await findFundingAccount(tx, key);
    invariant(account?.status === 'active', 'the account was opened');
    return account;
  });
}

/** Returns the placeholder person of an account without a registration. */
function placeholder({ code }: Principal['merchant']) {
  return {
    email: 'nobody@example.com',
    firstName: 'merchant',
    lastName: code,
    phone: '2348000000000',
    bvn: undefined,
  };
}
