/**
 * Requests an account whose row is stored, and stores the bank's answer. No transaction is open
 * during the call. May run twice for one account: both requests have one reference, and the first
 * account is kept.
 */

import { invariant } from '../core/errors.ts';
import { parseMobileNumber } from '../core/products/mobile-number.ts';
import { constraintName } from '../db/database-errors.ts';
import type { ItemAlarm } from '../db/queue/queue-store.ts';
import { insertAlarm } from '../notifications/alarms/alarm-store.ts';
import type { AccountAnswer, AccountOrder, FundingProvider } from './banks/funding-provider.ts';
import { scrubPerson } from './banks/scrub-person.ts';
import { type ClaimedAccount, markActive, settleAccount } from './funding-account-store.ts';
import { type FundingDependencies, pauseAfter } from './funding-dependencies.ts';
import type { RegisteredFields } from './registration.ts';

/** An account that is not open within this time raises an alarm, and is requested further. */
const OVERDUE_MS = 24 * 3_600_000;

export type BankQuestion = {
  /**
   * An account that this process has claimed. A pending one is only looked up, because the bank is
   * known to be opening it.
   */
  readonly account: ClaimedAccount;
  readonly provider: FundingProvider;
  readonly fields: RegisteredFields;
};

export async function queryBank(
  dependencies: FundingDependencies,
  question: BankQuestion,
): Promise<AccountAnswer> {
  const { account, provider } = question;
  const order = orderOf(question);
  const reported = account.refusal_told;
  const answered =
    account.status === 'pending'
      ? await provider.lookUpAccount(order)
      : await provider.openAccount(order, account.tries > 1);
  // A notice is a hint and may be old. It counts when the bank was known to be opening the account
  // and still has none. The answer to a new request takes precedence.
  const answer = withoutPerson(
    reported !== null && account.status === 'pending' && answered.kind === 'pending'
      ? { kind: 'refused', message: reported, ours: false }
      : answered,
    question.fields,
  );
  await dependencies.failpoints.reach('after-bank-asked');
  switch (answer.kind) {
    case 'active':
      return await open(dependencies, account, answer);
    case 'pending':
      await postpone(dependencies, account, 'pending');
      return answer;
    case 'refused':
      await refuse(dependencies, account, answer);
      return answer;
    case 'unavailable':
      dependencies.log.warn(
        { provider: provider.name, reason: answer.reason },
        'a bank did not answer a request for an account',
      );
      await postpone(dependencies, account, account.status === 'pending' ? 'pending' : 'requested');
      return answer;
  }
}

/** Removes personal data from the bank's message, which is stored, logged and returned. */
function withoutPerson(answer: AccountAnswer, fields: RegisteredFields): AccountAnswer {
  const scrub = (text: string): string => scrubPerson(text, Object.values(fields));
  switch (answer.kind) {
    case 'refused':
      return { ...answer, message: scrub(answer.message) };
    case 'unavailable':
      return { ...answer, reason: scrub(answer.reason) };
    case 'active':
    case 'pending':
      return answer;
  }
}

type Answer<Kind> = Extract<AccountAnswer, { kind: Kind }>;

/** Stores an open account, even when the lease is no longer valid. */
async function open(
  dependencies: FundingDependencies,
  account: ClaimedAccount,
  answer: Answer<'active'>,
): Promise<AccountAnswer> {
  const { merchant_id: merchantId, environment, currency } = account;
  try {
    const key = { merchantId, environment, currency };
    if (await markActive(dependencies.database, key, account, answer.account)) return answer;
    await insertAlarm(dependencies.database, {
      kind: 'funding_stray',
      merchantId,
      message: `${account.provider} opened the account ${account.reference} after the merchant was sent to another bank: payments into it have no merchant`,
    });
    return { kind: 'unavailable', reason: 'the merchant was sent to another bank meanwhile' };
  } catch (error) {
    // The account belongs to another merchant here, so the owner of its payments would be unknown.
    if (constraintName(error) !== 'funding_accounts_number_key') throw error;
    const message = 'the bank returned an account of another merchant';
    const refused = { kind: 'refused', message, ours: true } as const;
    await refuse(dependencies, account, refused);
    return refused;
  }
}

async function refuse(
  { database }: FundingDependencies,
  account: ClaimedAccount,
  { message, ours }: Answer<'refused'>,
): Promise<void> {
  const alarm: ItemAlarm = {
    kind: 'funding_refused',
    merchantId: account.merchant_id,
    message: `${account.provider} opens no ${account.currency} account: ${message}`,
  };
  const set = { status: 'refused', refusal: message, refusal_told: null };
  await settleAccount(database, account, { set, alarm: ours ? alarm : undefined });
}

/** Postpones the next request. */
async function postpone(
  { database, clock, timeScale = 1 }: FundingDependencies,
  account: ClaimedAccount,
  status: 'requested' | 'pending',
): Promise<void> {
  const overdue = clock.now().getTime() - account.requested_at.getTime() >= OVERDUE_MS;
  const alarm: ItemAlarm = {
    kind: 'funding_overdue',
    merchantId: account.merchant_id,
    message: `${account.provider} has not opened the ${account.currency} account ${account.reference} within a day`,
  };
  const pauseMs = timeScale * pauseAfter(account.tries);
  // The bank accepted the registration after that notice. A notice during the request stays.
  const isOld = account.refusal_told !== null && account.status === 'requested' && status === 'pending';
  const cleared = isOld ? { refusal_told: null } : {};
  await settleAccount(database, account, {
    pauseMs,
    set: { status, ...cleared },
    alarm: overdue ? alarm : undefined,
  });
}

function orderOf({ account, fields }: BankQuestion): AccountOrder {
  return {
    reference: account.reference,
    currency: account.currency,
    identity: {
      email: fields.email,
      firstName: fields.firstName,
      lastName: fields.lastName,
      phone: phoneDigits(fields.phone),
      bvn: fields.bvn,
    },
  };
}

function phoneDigits(text: string): string {
  const digits = parseMobileNumber(text) ?? text.replace(/^\+/, '');
  invariant(/^\d{7,15}$/.test(digits), 'a stored phone number was checked');
  return digits;
}
