/**
 * Credits a payment that was read back from its bank, exactly once. The wallet of the paid account
 * gets it less the fee. A payment to an unknown account stays in suspense, with an alarm.
 */

import { type IdSource, newId } from '../core/ids.ts';
import { type Currency, formatAmount } from '../core/money.ts';
import type { Tx } from '../db/database.ts';
import { insertAlarm } from '../notifications/alarms/alarm-store.ts';
import { insertEvent, type NewEvent } from '../notifications/events/event-store.ts';
import {
  bankAccount,
  depositCredited,
  depositFeesAccount,
  depositReceived,
  suspenseAccount,
} from '../wallet/ledger/chart-of-accounts.ts';
import type { HouseAccounts } from '../wallet/ledger/house-accounts.ts';
import { postTransfers } from '../wallet/ledger/post-transfers.ts';
import type { FundingProvider, Payment } from './banks/funding-provider.ts';
import { insertDeposit } from './deposit-store.ts';
import { findAccountPaidTo } from './funding-account-store.ts';

const NGN_FEE = 10_000n;

/** Returns the fee of a deposit in minor units: 100 naira, and none in other currencies. */
export function convenienceFee(currency: Currency): bigint {
  return currency === 'NGN' ? NGN_FEE : 0n;
}

/**
 * Returns the fee of a deposit: the convenience fee, but never more than the deposit.
 */
export function depositFee(currency: Currency, gross: bigint): bigint {
  const fee = convenienceFee(currency);
  return gross < fee ? gross : fee;
}

/** The house accounts of a deposit, looked up outside of the transaction. */
export type DepositAccounts = { readonly bank: bigint; readonly suspense: bigint; readonly fees: bigint };

export async function depositAccounts(
  houseAccounts: HouseAccounts,
  { name, environment }: Pick<FundingProvider, 'name' | 'environment'>,
  { currency }: Pick<Payment, 'currency'>,
): Promise<DepositAccounts> {
  return {
    bank: await houseAccounts.houseAccountId(bankAccount(name, environment, currency)),
    suspense: await houseAccounts.houseAccountId(suspenseAccount(environment, currency)),
    fees: await houseAccounts.houseAccountId(depositFeesAccount(environment, currency)),
  };
}

/** Builds the merchant's event, which the crediting transaction stores. */
export function depositEvent({
  id,
  currency,
  gross,
  fee,
}: {
  readonly id: string;
  readonly currency: string;
  readonly gross: bigint;
  readonly fee: bigint;
}): NewEvent {
  return {
    type: 'deposit.credited',
    facts: { deposit: id, currency, gross: `${gross}`, fee: `${fee}`, credited: `${gross - fee}` },
  };
}

export async function creditDeposit(
  tx: Tx,
  provider: Pick<FundingProvider, 'name' | 'environment'>,
  payment: Payment,
  accounts: DepositAccounts,
  mintId: IdSource = newId,
): Promise<'credited' | 'suspense' | 'repeat'> {
  const { environment, name } = provider;
  const { currency, amount: gross } = payment;
  const found = await findAccountPaidTo(tx, name, payment.paidTo);
  const owner = found?.environment === environment && found.currency === currency ? found : undefined;
  const id = mintId();
  const fee = owner === undefined ? 0n : depositFee(currency, gross);
  const isNew = await insertDeposit(tx, {
    id,
    provider: name,
    providerReference: payment.reference,
    environment,
    currency,
    paidTo: payment.paidTo.value,
    merchantId: owner?.merchant_id,
    gross,
    fee,
    settled: payment.settled,
    paidAt: payment.paidAt,
  });
  if (!isNew) return 'repeat';
  const { bank, suspense, fees } = accounts;
  const received = depositReceived({ bankAccount: bank, suspenseAccount: suspense, gross });
  const memo = `${name} ${payment.reference}`;
  if (owner === undefined) {
    await postTransfers(tx, { merchantId: 0, subjectId: id, transfers: received, memo });
    await insertAlarm(tx, {
      kind: 'deposit_suspense',
      merchantId: undefined,
      subjectId: id,
      message: `${formatAmount(gross)} ${currency} arrived at ${name} for an unknown account: deposit ${id}`,
    });
    return 'suspense';
  }
  const credited = depositCredited({
    suspenseAccount: suspense,
    feesAccount: fees,
    walletAccount: owner.wallet_id,
    gross,
    fee,
  });
  await postTransfers(tx, {
    merchantId: owner.merchant_id,
    subjectId: id,
    transfers: [...received, ...credited],
    memo,
  });
  await insertEvent(
    tx,
    { merchantId: owner.merchant_id, environment },
    depositEvent({ id, currency, gross, fee }),
  );
  return 'credited';
}
