/**
 * Asks a provider for an account whose row is stored, and stores what it says. No transaction is open during the call. May run twice
 * for one account: both ask under the same reference, and the first account that is known stands.
 */

import { insertAlarm } from '../alarms/alarm-store.ts';
import type { AccountAnswer, AccountOrder, FundingProvider } from '../banks/funding-provider.ts';
import { constraintName } from '../db/database-errors.ts';
import { invariant } from '../kernel/errors.ts';
import { parseMobileNumber } from '../products/mobile-number.ts';
import { type AccountKey, markActive, markRefused, markUnsettled } from './funding-account-store.ts';
import { type FundingDesk, pauseAfter } from './funding-desk.ts';
import type { RegisteredFields } from './registration.ts';

/** How long a row is a process's own to ask with: longer than the calls of one asking can take. */
export const ASKING_LEASE_MS = 120_000;

export type BankQuestion = {
  readonly key: AccountKey;
  readonly provider: FundingProvider;
  readonly reference: string;
  readonly fields: RegisteredFields;
  /** How often it was asked for, this time included. */
  readonly asked: number;
  /** It is known to be under way there: look, and ask for nothing. */
  readonly lookOnly: boolean;
};

export async function askBank(
  { database, stopPoints, log }: FundingDesk,
  question: BankQuestion,
): Promise<AccountAnswer> {
  const { key, provider, asked } = question;
  const order = orderOf(question);
  const answer = question.lookOnly
    ? await provider.lookUpAccount(order)
    : await provider.openAccount(order, asked > 1);
  await stopPoints.reach('after-bank-asked');
  switch (answer.kind) {
    case 'active':
      try {
        await markActive(database, key, answer.account);
        return answer;
      } catch (error) {
        // The bank gave this merchant an account that is another's here: whose money would come in is not known.
        if (constraintName(error) !== 'funding_accounts_number_key') throw error;
        const refusal = 'the bank gave an account that belongs to somebody else here';
        await refuse(database, key, provider.name, refusal, true);
        return { kind: 'refused', message: refusal, ours: true };
      }
    case 'pending':
      await markUnsettled(database, key, 'pending', pauseAfter(asked));
      return answer;
    case 'refused':
      await refuse(database, key, provider.name, answer.message, answer.ours);
      return answer;
    case 'unavailable':
      log.warn(
        { provider: provider.name, reason: answer.reason },
        'a bank did not say whether it opened an account',
      );
      await markUnsettled(database, key, question.lookOnly ? 'pending' : 'requested', pauseAfter(asked));
      return answer;
  }
}

async function refuse(
  database: FundingDesk['database'],
  key: AccountKey,
  provider: string,
  refusal: string,
  alarming: boolean,
): Promise<void> {
  if (!(await markRefused(database, key, refusal)) || !alarming) return;
  await insertAlarm(database, {
    kind: 'funding_refused',
    merchantId: key.merchantId,
    message: `${provider} opens no ${key.currency} account: ${refusal}`,
  });
}

function orderOf({ reference, key, fields }: BankQuestion): AccountOrder {
  return {
    reference,
    currency: key.currency,
    identity: {
      email: fields.email,
      firstName: fields.first_name,
      lastName: fields.last_name,
      phone: phoneDigits(fields.phone_number),
      bvn: fields.bvn,
    },
  };
}

function phoneDigits(text: string): string {
  const digits = parseMobileNumber(text) ?? text.replace(/^\+/, '');
  invariant(/^\d{7,15}$/.test(digits), 'a stored phone number was checked');
  return digits;
}
