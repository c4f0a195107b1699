/** Prints lists of purchases: those that a search found, and those that are pending. */
import type { Static } from 'typebox';
import type { listPendingPurchasesOperation } from '../purchases/search/operations/list-pending-purchases.ts';
import type { listPurchasesOperation } from '../purchases/search/operations/list-purchases.ts';
import { timeText } from './format.ts';
import { type Column, table } from './output.ts';

type FoundPage = Static<typeof listPurchasesOperation.output>;
type PendingPage = Static<typeof listPendingPurchasesOperation.output>;
type Found = FoundPage['data'][number];
type Pending = PendingPage['data'][number];

export function foundText({ data, searched_until: until }: FoundPage): string {
  if (until === null) return table(data, foundColumns, 'No purchases.');
  const note = `Only purchases since ${timeText(until)} were searched.`;
  return `${table(data, foundColumns, 'None so far.')}\n\n${note}`;
}

export function pendingText({ data, cursor }: PendingPage): string {
  return table(data, pendingColumns, cursor === null ? 'No purchase is pending.' : 'None so far.');
}

const foundColumns: readonly Column<Found>[] = [
  { title: 'AT', of: (purchase) => timeText(purchase.created_at) },
  { title: 'STATUS', of: statusText },
  { title: 'REASON', of: (purchase) => purchase.reason ?? '-' },
  { title: 'PRODUCT', of: productText },
  { title: 'RECIPIENT', of: (purchase) => purchase.recipient || '-' },
  { title: 'AMOUNT', of: (purchase) => purchase.face_value, right: true },
  { title: 'MERCHANT', of: merchantText },
  { title: 'REFERENCE', of: (purchase) => purchase.reference },
  { title: 'PROVIDER', of: (purchase) => purchase.provider ?? '-' },
  { title: 'THEIR REFERENCE', of: (purchase) => purchase.provider_reference ?? '-' },
];

const pendingColumns: readonly Column<Pending>[] = [
  { title: 'AGE', of: (purchase) => ageText(purchase.age_s), right: true },
  { title: 'WHY', of: whyText },
  { title: 'NEXT', of: nextText },
  { title: 'PRODUCT', of: productText },
  { title: 'RECIPIENT', of: (purchase) => purchase.recipient || '-' },
  { title: 'AMOUNT', of: (purchase) => purchase.face_value, right: true },
  { title: 'MERCHANT', of: merchantText },
  { title: 'REFERENCE', of: (purchase) => purchase.reference },
];

function statusText({ status, refunded }: Found): string {
  return refunded === '0.00' ? status : `${status}, ${refunded} refunded`;
}

function productText({ product, network }: { readonly product: string; readonly network: string }): string {
  return network === product ? product : `${product} ${network}`;
}

/** Marks purchases of the test environment. */
function merchantText({
  merchant,
  environment,
}: {
  readonly merchant: string;
  readonly environment: string;
}): string {
  return environment === 'live' ? merchant : `${merchant} (${environment})`;
}

function ageText(seconds: number): string {
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} days`;
}

function whyText({ why, provider, last_answer: answer }: Pending): string {
  const code = answer === null ? '' : ` (code ${answer.code})`;
  switch (why) {
    case 'not_sent':
      return `waiting to be sent to ${provider}`;
    case 'to_be_sent_again':
      return `not bought${code}; waiting for ${provider}`;
    case 'unanswered':
      return `sent to ${provider}, no answer`;
    case 'accepted':
      return `${provider} is processing it${code}`;
    case 'unknown':
      return `sent to ${provider}, no clear answer${code}`;
    case 'not_found':
      return `${provider} does not know it${code}`;
    case 'delivered':
      return `${provider} reported success without the goods${code}`;
    case 'contradicted':
      return `${provider} gave contradictory answers${code}`;
  }
}

function nextText({ next, next_at: at, flagged_at: flaggedAt }: Pending): string {
  const decide = flaggedAt === null ? '' : '; needs your decision';
  switch (next) {
    case 'in_hand':
      return `a gateway is working on it${decide}`;
    case 'nothing':
      return `no automatic step${decide}`;
    case 'send':
      return `send ${at === null ? '' : timeText(at)}${decide}`;
    case 'ask':
      return `query ${at === null ? '' : timeText(at)}${decide}`;
  }
}
