/** The money of the played week beside purchases: deposits, floats, refunds, vouchers. */
import type { BankAccount, FundingProvider } from '../../../banks/funding-provider.ts';
import type { Tx } from '../../../db/database.ts';
import { bookMovement } from '../../../floats/book-movement.ts';
import { creditDeposit, depositAccounts } from '../../../funding/credit-deposit.ts';
import { markActive, markRequested } from '../../../funding/funding-account-store.ts';
import type { IdSource } from '../../../kernel/ids.ts';
import { createHouseAccounts } from '../../../ledger/house-accounts.ts';
import { postRefund } from '../../../vending/refunds/post-refund.ts';
import { ada, tunde } from './people.ts';
import type { Delivered } from './play-purchases.ts';
import { type Shop, shops } from './shops.ts';

/** That of the merchants' accounts. */
export type WeekBank = {
  readonly name: string;
  readonly environment: 'live';
  readonly accounts: ReadonlyMap<string, BankAccount>;
};

/**
 * Asks a bank for the merchants' accounts, under the same references each time. So they are there
 * for later payments too.
 */
export async function askBank(banks: ReadonlyMap<string, FundingProvider>): Promise<WeekBank> {
  const accounts = new Map<string, BankAccount>();
  const bank = [...banks.values()].find(({ environment }) => environment === 'live');
  for (const [index, shop] of shops.entries()) {
    const identity = {
      email: `${shop.code.toLowerCase()}@example.com`,
      firstName: 'Demo',
      lastName: 'Merchant',
      phone: `23480300000${10 + index}`,
      bvn: `222000000${10 + index}`,
    };
    const order = { reference: referenceOf(shop), currency: 'NGN', identity } as const;
    const answer = await bank?.openAccount(order, true);
    if (answer?.kind === 'active') accounts.set(shop.code, answer.account);
  }
  return { name: bank?.name ?? 'bank', environment: 'live', accounts };
}

/** The bank account that a merchant pays into, as the bank has opened it. */
export async function openBankAccount(
  tx: Tx,
  bank: WeekBank,
  shop: Shop,
  { merchantId, walletId }: { readonly merchantId: number; readonly walletId: bigint },
): Promise<void> {
  const key = { merchantId, environment: 'live', currency: 'NGN' } as const;
  const asked = { provider: bank.name, reference: referenceOf(shop) };
  await markRequested(tx, key, { ...asked, walletId, customerHash: undefined });
  const account = bank.accounts.get(shop.code) ?? {
    number: `70${String(merchantId).padStart(8, '0')}`,
    name: shop.name.toUpperCase(),
    bankName: 'Moniepoint MFB',
  };
  await markActive(tx, key, asked, account);
}

/** `shop` absent: to an account that is nobody's. */
export async function receiveDeposit(
  tx: Tx,
  bank: WeekBank,
  paid: { readonly shop?: Shop; readonly amount: bigint; readonly at: Date },
  newId: IdSource,
): Promise<void> {
  const { shop, amount, at } = paid;
  const payment = {
    reference: `WEEK|${at.getTime()}|${shop?.code ?? 'UNKNOWN'}`,
    paidTo: { kind: 'reference', value: shop === undefined ? 'closed-account' : referenceOf(shop) },
    amount,
    currency: 'NGN',
    paidAt: new Date(at.getTime() - 40_000),
  } as const;
  const accounts = await depositAccounts(createHouseAccounts(tx), bank, payment);
  await creditDeposit(tx, bank, payment, accounts, newId);
}

function referenceOf({ code }: Shop): string {
  return `oja-week-${code}`;
}

export async function topUp(
  tx: Tx,
  provider: string,
  amount: bigint,
  movedAt: Date,
  reason: string,
): Promise<void> {
  if (amount <= 0n) return;
  await bookMovement(
    tx,
    {
      provider,
      environment: 'live',
      kind: 'top_up',
      amount,
      foreign: undefined,
      bank: undefined,
      reference: `TOPUP-${movedAt.getTime()}`,
      reason,
      movedAt,
    },
    ada,
  );
}

/**
 * By the support, on a customer's word; where the provider gives it back too, by the finances.
 * Gives what came back from the provider.
 */
export async function refund(tx: Tx, vend: Delivered, fromProvider: boolean): Promise<bigint> {
  const whole = { vend, amount: undefined } as const;
  await postRefund(tx, { ...whole, kind: 'merchant', reason: 'the customer got nothing' }, tunde);
  if (!fromProvider) return 0n;
  const { amount } = await postRefund(tx, { ...whole, kind: 'provider', reason: 'credited by them' }, ada);
  return amount;
}
