/** Deposits in each possible state, as data for tests of the audit. */
import assert from 'node:assert/strict';
import type { Database } from '../../src/db/database.ts';
import type { Payment } from '../../src/funding/banks/funding-provider.ts';
import { creditDeposit, depositAccounts } from '../../src/funding/credit-deposit.ts';
import { listDeposits } from '../../src/funding/deposit-store.ts';
import { markActive, markRequested } from '../../src/funding/funding-account-store.ts';
import { claimNotices, insertNotices, settleNotice } from '../../src/funding/notice-store.ts';
import { assignDeposit } from '../../src/funding/operations/assign-deposit.ts';
import { createHouseAccounts } from '../../src/wallet/ledger/house-accounts.ts';
import type { Shop } from './fixture.ts';

const bank = { name: 'monnify', environment: 'live' } as const;

/** The ids of the deposits by the name of their state. */
export async function makeDeposits(database: Database, shop: Shop): Promise<Map<string, string>> {
  const key = { merchantId: shop.merchantId, environment: 'live', currency: 'NGN' } as const;
  const asked = { provider: bank.name, reference: 'oja-shop' };
  await database.transaction((tx) =>
    markRequested(tx, key, { ...asked, walletId: shop.walletId, customerHash: undefined }),
  );
  await markActive(database, key, asked, { number: '6000000001', name: 'SHOP', bankName: 'Bank' });
  await receive(database, 'paid-credited', 'oja-shop');
  await receive(database, 'paid-suspended', 'nobody');
  await receive(database, 'paid-assigned', 'nobody');
  const deposits = await listDeposits(database, {
    suspense: false,
    merchantId: undefined,
    provider: undefined,
    from: undefined,
    to: undefined,
    limit: 10,
  });
  const made = new Map(deposits.map((row) => [row.provider_reference.replace('paid-', ''), row.id]));
  const assigned = made.get('assigned');
  assert.ok(assigned);
  await database.transaction((tx) => assignDeposit(tx, { depositId: assigned, merchantCode: 'SHOP' }, 'ada'));
  await insertNotices(database, bank.name, ['paid-credited'], 'notice');
  for (const notice of await claimNotices(database, [bank.name], 10)) {
    await settleNotice(database, notice, 'deposited');
  }
  return made;
}

async function receive(database: Database, reference: string, account: string): Promise<void> {
  const payment: Payment = {
    reference,
    paidTo: { kind: 'reference', value: account },
    amount: 500_000n,
    currency: 'NGN',
    paidAt: new Date(),
  };
  const accounts = await depositAccounts(createHouseAccounts(database), bank, payment);
  await database.transaction((tx) => creditDeposit(tx, bank, payment, accounts));
}
