/**
 * Asks a provider for an account whose row is stored, and stores what it says. No transaction is
 * open during the call. May run twice for one account: both ask under the same reference, and the
 * first account that is known stands.
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

/**
 * An account that a bank has not opened within this is a person's to look at, and goes on being
 * asked for.
 */
const OVERDUE_MS = 24 * 3_600_000;

export type BankQuestion = {
  /**
   * Claimed by this process. One that is pending is known to be under way there: it is looked for,
   * and nothing is asked for.
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
  const told = account.refusal_told;
  const said =
    account.status === 'pending'
      ? await provider.lookUpAccount(order)
      : await provider.openAccount(order, account.tries > 1);
  // A notice is a hint, and may be an old one. It counts where the bank was known to work on the
  // account and still has none. Where it is only now asked, its answer counts.
  const answer = withoutPerson(
    told !== null && account.status === 'pending' && said.kind === 'pending'
      ? { kind: 'refused', message: told, ours: false }
      : said,
    question.fields,
  );
  await dependencies.failpoints.reach('after-bank-asked');
  switch (answer.kind) {
    case 'active':
      return await open(dependencies, account, answer);
    case 'pending':
      await putOff(dependencies, account, 'pending');
      return answer;
    case 'refused':
      await refuse(dependencies, account, answer);
      return answer;
    case 'unavailable':
      dependencies.log.warn(
        { provider: provider.name, reason: answer.reason },
        'a bank did not say whether it opened an account',
      );
      await putOff(dependencies, account, account.status === 'pending' ? 'pending' : 'requested');
      return answer;
  }
}

/** A bank may quote what it was sent, and these words are stored, logged and answered. */
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

/** Whoever learns of the account stores it, whether or not the lease is still valid. */
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
      message: `${account.provider} opened the account ${account.reference} after the merchant was sent to another bank: what is paid into it is for nobody`,
    });
    return { kind: 'unavailable', reason: 'the merchant was sent to another bank meanwhile' };
  } catch (error) {
    // The bank gave this merchant an account that is another's here: whose money would come in is
    // not known.
    if (constraintName(error) !== 'funding_accounts_number_key') throw error;
    const message = 'the bank gave an account that belongs to somebody else here';
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

/** To be asked for again after a while. */
async function putOff(
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
  // The bank took the registration after that notice. One that came during the question stays.
  const isOld = account.refusal_told !== null && account.status === 'requested' && status === 'pending';
  const heard = isOld ? { refusal_told: null } : {};
  await settleAccount(database, account, {
    pauseMs,
    set: { status, ...heard },
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
