/**
 * Providers and banks: whether they answer with these credentials, and what time they have. Nothing
 * is bought, and nothing is opened.
 */

import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { formatAmount } from '../../core/money.ts';
import type { FundingProvider } from '../../funding/banks/funding-provider.ts';
import type { SmtpConfig } from '../../notifications/messages/messenger-config.ts';
import { greetSmtp } from '../../notifications/messages/smtp/smtp.ts';
import type { Provider } from '../../providers/provider.ts';
import { checkClock } from './check-database.ts';
import { type Finding, ok, skipped, warn, wrong } from './finding.ts';

/** How long one is waited for, in milliseconds. */
const ASK_MS = 15_000;
/** A `Date` header has whole seconds. */
const HEADER_MS = 1_000;

type Asked = { readonly aheadMs: number; readonly unsureMs: number } | undefined;

export async function checkProviders(providers: ReadonlyMap<string, Provider>): Promise<Finding[]> {
  const live = [...providers.values()].filter(({ environment }) => environment === 'live');
  if (live.length === 0) {
    return [
      warn('providers', 'none is set up: nothing can be sold', 'set one up (docs/operators/providers)'),
    ];
  }
  const found: Finding[] = [];
  for (const provider of live) {
    const check = `provider ${provider.name}`;
    const { answer, clock } = await withClock(() =>
      provider.balance({ signal: AbortSignal.timeout(ASK_MS) }).catch(() => undefined),
    );
    found.push(
      answer === undefined
        ? wrong(
            check,
            clock === undefined ? 'it does not answer' : 'it answers, and does not say our float',
            clock === undefined
              ? 'look at the network of this machine, and at the base URL of its settings'
              : 'look at its credentials: ./oja provider set-credentials',
          )
        : ok(check, `it answers: our float is ${formatAmount(answer.amount)} ${answer.currency}`),
      ...(clock === undefined
        ? []
        : [checkClock(`clock of ${provider.name}`, clock.aheadMs, clock.unsureMs)]),
      ...checkPhone(provider),
    );
  }
  return found;
}

function checkPhone({ name, needsPhone }: Provider): Finding[] {
  if (needsPhone === undefined || needsPhone.size === 0) return [];
  const products = [...needsPhone].join(', ');
  return [
    warn(
      `contact phone of ${name}`,
      `${products} without a customer's phone is not sent to ${name}, and is refused where no other provider is left`,
      `set OJA_${name.toUpperCase()}_CONTACT_PHONE to a mobile number of yours`,
    ),
  ];
}

/** A payment that there is not is asked for: whoever can say so has taken the credentials. */
export async function checkBanks(banks: ReadonlyMap<string, FundingProvider>): Promise<Finding[]> {
  const live = [...banks.values()].filter(({ environment }) => environment === 'live');
  if (live.length === 0) return [skipped('banks', 'none is set up')];
  const found: Finding[] = [];
  for (const bank of live) {
    const check = `bank ${bank.name}`;
    const { answer, clock } = await withClock(() => bank.findPayment('oja-doctor').catch(() => undefined));
    const reason = answer === undefined ? 'it does not answer' : 'reason' in answer ? answer.reason : '';
    found.push(
      answer === undefined || answer.kind === 'unavailable'
        ? warn(check, reason, 'look at its settings, and at the network of this machine')
        : ok(check, 'it answers'),
      ...(clock === undefined ? [] : [checkClock(`clock of ${bank.name}`, clock.aheadMs, clock.unsureMs)]),
    );
  }
  return found;
}

/** Also how far the clock of whoever answered meanwhile is ahead, where an answer had a date. */
async function withClock<T>(ask: () => Promise<T>): Promise<{ readonly answer: T; readonly clock: Asked }> {
  let clock: Asked;
  const askedAt = Date.now();
  const hear = (message: unknown): void => {
    const { headers } = (message as { readonly response: { readonly headers: readonly Buffer[] } }).response;
    const at = headers.findIndex((text, index) => index % 2 === 0 && /^date$/i.test(String(text)));
    const date = at === -1 ? Number.NaN : Date.parse(String(headers[at + 1]));
    // The header's second has begun: on average a half of it has gone.
    if (!Number.isNaN(date))
      clock = { aheadMs: date + 500 - Date.now(), unsureMs: Date.now() - askedAt + HEADER_MS };
  };
  subscribe('undici:request:headers', hear);
  try {
    return { answer: await ask(), clock };
  } finally {
    unsubscribe('undici:request:headers', hear);
  }
}

const STEP_TIMEOUT_MS = 5_000;

/** The mail server: whether it takes us. No message is sent. */
export async function checkMail(smtp: SmtpConfig | undefined): Promise<Finding[]> {
  if (smtp === undefined) return [skipped('mail server', 'none is set up (OJA_SMTP_URL)')];
  const at = `${smtp.host}:${smtp.port}`;
  const fault = await greetSmtp({ ...smtp, stepTimeoutMs: STEP_TIMEOUT_MS });
  return [
    fault === undefined
      ? ok('mail server', `${at} takes us${smtp.user === undefined ? '' : ' with our password'}`)
      : wrong('mail server', `${at} does not take us (${fault})`, 'look at the settings OJA_SMTP_…'),
  ];
}
