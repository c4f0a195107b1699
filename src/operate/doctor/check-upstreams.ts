/**
 * Checks that providers, banks and the mail server accept the credentials, and compares their
 * clocks. It buys nothing and opens no account.
 */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { formatAmount } from '../../core/money.ts';
import type { FundingProvider } from '../../funding/banks/funding-provider.ts';
import type { SmtpConfig } from '../../notifications/messages/messenger-config.ts';
import { greetSmtp } from '../../notifications/messages/smtp/smtp.ts';
import type { Provider } from '../../providers/provider.ts';
import { checkClock } from './check-database.ts';
import { type Finding, ok, skipped, warn, wrong } from './finding.ts';

const QUERY_TIMEOUT_MS = 15_000;
/** A `Date` header has whole seconds. */
const HEADER_MS = 1_000;

type ClockOffset = { readonly aheadMs: number; readonly unsureMs: number } | undefined;

/** An account at a provider, by its current name. */
type NamedProvider = { readonly provider: Provider; readonly name: string };

export async function checkProviders(providers: readonly NamedProvider[]): Promise<Finding[]> {
  const live = providers.filter(({ provider }) => provider.environment === 'live');
  if (live.length === 0) {
    return [
      warn(
        'providers',
        'no provider is configured, so nothing can be sold',
        'configure one (docs/operators/providers)',
      ),
    ];
  }
  const found: Finding[] = [];
  for (const named of live) {
    const { provider, name } = named;
    const check = `provider ${name}`;
    if (provider.hasNoBalance) {
      found.push(skipped(check, 'it reports no balance, and it has no other free call'));
      continue;
    }
    const { answer, clock } = await withClock(() =>
      provider.balance({ signal: AbortSignal.timeout(QUERY_TIMEOUT_MS) }).catch(() => undefined),
    );
    found.push(
      answer === undefined
        ? wrong(
            check,
            clock === undefined ? 'it does not answer' : 'it answers without a balance',
            clock === undefined
              ? 'check the network of this machine and the base URL in its settings'
              : 'check its credentials: ./oja provider set-credentials',
          )
        : ok(check, `it answers; the balance is ${formatAmount(answer.amount)} ${answer.currency}`),
      ...(clock === undefined ? [] : [checkClock(`clock of ${name}`, clock.aheadMs, clock.unsureMs)]),
      ...checkPhone(named),
    );
  }
  return found;
}

function checkPhone({ provider: { needsPhone }, name }: NamedProvider): Finding[] {
  if (needsPhone === undefined || needsPhone.size === 0) return [];
  const products = [...needsPhone].join(', ');
  return [
    warn(
      `contact phone of ${name}`,
      `${name} cannot serve ${products} without a customer's phone number`,
      'set OJA_CONTACT_PHONE to your mobile number',
    ),
  ];
}

/**
 * Looks up a payment that does not exist: a bank that answers "not found" has accepted the
 * credentials.
 */
export async function checkBanks(banks: ReadonlyMap<string, FundingProvider>): Promise<Finding[]> {
  const live = [...banks.values()].filter(({ environment }) => environment === 'live');
  if (live.length === 0) return [skipped('banks', 'none is configured')];
  const found: Finding[] = [];
  for (const bank of live) {
    const check = `bank ${bank.name}`;
    const { answer, clock } = await withClock(() => bank.findPayment('oja-doctor').catch(() => undefined));
    const reason = answer === undefined ? 'it does not answer' : 'reason' in answer ? answer.reason : '';
    found.push(
      answer === undefined || (answer.kind === 'unavailable' && answer.isUnknown !== true)
        ? warn(check, reason, 'check its settings and the network of this machine')
        : ok(check, 'it answers'),
      ...(clock === undefined ? [] : [checkClock(`clock of ${bank.name}`, clock.aheadMs, clock.unsureMs)]),
    );
  }
  return found;
}

/** The warning about a bank whose key is for tests, in an installation with real money. */
export function warnOfTestAccount(bank: string): Finding {
  return warn(
    `account at ${bank}`,
    'its key is a test key: test money paid there is credited to live wallets',
    `set the keys of your live account at ${bank}, or remove them`,
  );
}

/** Runs a call, and measures the offset of the other clock by the `Date` header of an answer. */
async function withClock<T>(
  call: () => Promise<T>,
): Promise<{ readonly answer: T; readonly clock: ClockOffset }> {
  let clock: ClockOffset;
  const sentAt = Date.now();
  const readDate = (message: unknown): void => {
    const { headers } = (message as { readonly response: { readonly headers: readonly Buffer[] } }).response;
    const at = headers.findIndex((text, index) => index % 2 === 0 && /^date$/i.test(String(text)));
    const date = at === -1 ? Number.NaN : Date.parse(String(headers[at + 1]));
    // On average, half of the header's second has passed.
    if (!Number.isNaN(date))
      clock = { aheadMs: date + 500 - Date.now(), unsureMs: Date.now() - sentAt + HEADER_MS };
  };
  subscribe('undici:request:headers', readDate);
  try {
    return { answer: await call(), clock };
  } finally {
    unsubscribe('undici:request:headers', readDate);
  }
}

const STEP_TIMEOUT_MS = 5_000;

/** Checks that the mail server accepts a sign-in. It sends no message. */
export async function checkMail(smtp: SmtpConfig | undefined): Promise<Finding[]> {
  if (smtp === undefined) return [skipped('mail server', 'none is configured (OJA_SMTP_URL)')];
  const at = `${smtp.host}:${smtp.port}`;
  const fault = await greetSmtp({ ...smtp, stepTimeoutMs: STEP_TIMEOUT_MS });
  return [
    fault === undefined
      ? ok('mail server', `${at} accepts the connection${smtp.user === undefined ? '' : ' and the password'}`)
      : wrong('mail server', `${at} refused the connection (${fault})`, 'check the OJA_SMTP_… settings'),
  ];
}
