/** `oja purchase list` and `oja purchase pending`: finding purchases. */
import type { Static } from 'typebox';
import { listPendingPurchasesOperation } from '../../purchases/search/operations/list-pending-purchases.ts';
import { listPurchasesOperation } from '../../purchases/search/operations/list-purchases.ts';
import { timeText } from '../format.ts';
import { commandOf, type OperationCommand } from '../operation-command.ts';
import { type Column, table } from '../output.ts';

type Found = Static<typeof listPurchasesOperation.output>['data'][number];
type Pending = Static<typeof listPendingPurchasesOperation.output>['data'][number];

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

/** Test purchases are told apart. */
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
      return `waits to be sent to ${provider}`;
    case 'to_be_sent_again':
      return `not bought${code}; waits for ${provider}`;
    case 'unanswered':
      return `sent to ${provider}, no answer`;
    case 'accepted':
      return `${provider} works on it${code}`;
    case 'unknown':
      return `sent to ${provider}, no clear answer${code}`;
    case 'not_found':
      return `${provider} does not know it${code}`;
    case 'delivered':
      return `${provider} delivered, not all of it is here${code}`;
    case 'contradicted':
      return `${provider} contradicts itself${code}`;
  }
}

function nextText({ next, next_at: at, flagged_at: flaggedAt }: Pending): string {
  const decide = flaggedAt === null ? '' : '; yours to decide';
  switch (next) {
    case 'in_hand':
      return `a gateway has it in hand${decide}`;
    case 'nothing':
      return `nothing by itself${decide}`;
    case 'send':
      return `sent ${at === null ? '' : timeText(at)}${decide}`;
    case 'ask':
      return `asked about ${at === null ? '' : timeText(at)}${decide}`;
  }
}

/** What comes after the rows of a page. */
export const purchaseSearchCommands: readonly OperationCommand[] = [
  commandOf(listPurchasesOperation, {
    examples: [
      'purchase list --phone 08031234567 --from 2026-11-21 --to 2026-11-21',
      'purchase list --reference first-1',
      'purchase list --token 6734-3797-4609-1524-5954',
      'purchase list --merchant SHOP --status failed --reason refused --from 2026-11-01 --json',
    ],
    text: ({ data, searched_until: until }) => {
      const none = until === null ? 'No purchases.' : 'None so far.';
      const partly =
        until === null ? '' : `\n\nOnly purchases since ${timeText(until)} have been looked through.`;
      return `${table(data, foundColumns, none)}${partly}`;
    },
  }),
  commandOf(listPendingPurchasesOperation, {
    examples: [
      'purchase pending',
      'purchase pending --older-than 15m --provider vtpass',
      'purchase pending --flagged',
    ],
    text: ({ data, cursor }) => {
      const none = cursor === null ? 'Nothing is pending.' : 'None so far.';
      return table(data, pendingColumns, none);
    },
  }),
];
