/**
 * Reads payments back from their banks and credits them: the only way in which money from a bank
 * reaches a wallet. A notice is claimed, read back without a transaction, and settled in the
 * transaction that stores the deposit. After a crash in between, the notice is claimed again.
 * Crediting a payment twice has no effect.
 */

import { invariant } from '../core/errors.ts';
import type { ItemAlarm } from '../db/queue/queue-store.ts';
import { workAll } from '../db/queue/work-all.ts';
import type { FundingProvider, PaymentAnswer } from './banks/funding-provider.ts';
import { creditDeposit, depositAccounts } from './credit-deposit.ts';
import { type FundingDependencies, pauseAfter } from './funding-dependencies.ts';
import {
  type ClaimedNotice,
  claimNotices,
  postponeNotice,
  quarantineNotice,
  settleNotice,
} from './notice-store.ts';

const CLAIM_MAX = 16;
/** An unpaid payment is given up a day after its notice, until another notice comes. */
const GIVEN_UP_MS = 24 * 3_600_000;
/** A payment that cannot be read back for a day raises an alarm, and is read further. */
const UNREAD_MS = 24 * 3_600_000;

/** Works on all due notices and returns their number. Safe to run in any process at any time. */
export async function confirmPayments(dependencies: FundingDependencies): Promise<number> {
  const names = [...dependencies.providers.keys()];
  let confirmed = 0;
  for (;;) {
    const notices = await claimNotices(dependencies.database, names, CLAIM_MAX);
    confirmed += await workAll(
      notices,
      (notice) => confirm(dependencies, notice),
      (notice) => quarantineNotice(dependencies.database, notice),
    );
    if (notices.length < CLAIM_MAX) return confirmed;
  }
}

async function confirm(dependencies: FundingDependencies, notice: ClaimedNotice): Promise<void> {
  const provider = dependencies.providers.get(notice.provider);
  invariant(provider !== undefined, 'only notices of known providers are claimed');
  const answer = await provider.findPayment(notice.reference);
  await dependencies.failpoints.reach('after-read-back');
  await settle(dependencies, provider, notice, answer);
}

async function settle(
  dependencies: FundingDependencies,
  provider: FundingProvider,
  notice: ClaimedNotice,
  answer: PaymentAnswer,
): Promise<void> {
  const { database, timeScale = 1 } = dependencies;
  const nowMs = dependencies.clock.now().getTime();
  switch (answer.kind) {
    case 'paid': {
      const { payment } = answer;
      const accounts = await depositAccounts(dependencies.houseAccounts, provider, payment);
      const outcome = await database.transaction(async (tx) => {
        const done = await creditDeposit(tx, provider, payment, accounts, dependencies.newId);
        await settleNotice(tx, notice, 'deposited');
        await dependencies.failpoints.reach('before-deposit-commits');
        return done;
      });
      dependencies.log.info(
        { provider: provider.name, payment: payment.reference, outcome },
        'payment read back',
      );
      return;
    }
    case 'other':
      await settleNotice(database, notice, 'ignored');
      return;
    case 'not_paid':
      if (nowMs - notice.received_at.getTime() > GIVEN_UP_MS) {
        await settleNotice(database, notice, 'not_paid', unpaidAlarm(notice, answer.reason));
      } else {
        await postponeNotice(database, notice, timeScale * pauseAfter(notice.tries));
      }
      return;
    case 'unavailable': {
      dependencies.log.warn(
        { provider: provider.name, reason: answer.reason },
        'a payment could not be read back',
      );
      const overdue = nowMs - notice.open_since.getTime() > UNREAD_MS;
      await postponeNotice(
        database,
        notice,
        timeScale * pauseAfter(notice.tries),
        overdue ? unreadAlarm(notice, answer.reason) : undefined,
      );
      return;
    }
  }
}

function unpaidAlarm({ provider, reference }: ClaimedNotice, reason: string): ItemAlarm {
  return {
    kind: 'deposit_unpaid',
    message: `${provider} announced payment ${reference} a day ago, but does not report it as paid: ${reason}`,
  };
}

function unreadAlarm({ provider, reference }: ClaimedNotice, reason: string): ItemAlarm {
  return {
    kind: 'deposit_unread',
    message: `${provider} announced payment ${reference} a day ago, and it cannot be read back: ${reason}`,
  };
}
