/** A day in the past with one transfer, which is then closed. */
import type { Database } from '../../src/db/database.ts';
import { closeDay } from '../../src/finance/reports/operations/close-day.ts';
import { creditDeposit, depositAccounts } from '../../src/funding/credit-deposit.ts';
import { createHouseAccounts } from '../../src/wallet/ledger/house-accounts.ts';
import { playClock } from '../support/played-clock.ts';

const day = '2026-01-10';
const bank = { name: 'monnify', environment: 'live' } as const;

/** A deposit without an owner. */
export async function bookOldTransfer(database: Database): Promise<void> {
  const clock = await playClock(database);
  const paidAt = new Date(`${day}T12:00:00Z`);
  await clock.set(paidAt);
  const payment = {
    reference: 'long-ago',
    paidTo: { kind: 'reference', value: 'nobody' },
    amount: 500_000n,
    currency: 'NGN',
    paidAt,
  } as const;
  const accounts = await depositAccounts(createHouseAccounts(database), bank, payment);
  await database.transaction((tx) => creditDeposit(tx, bank, payment, accounts));
  await clock.stop();
}

export async function closeOldDay(database: Database): Promise<void> {
  const actor = { name: 'obi', principal: 'user:obi', edge: 'cli' } as const;
  await closeDay(database, { environment: 'live', day }, actor);
}
