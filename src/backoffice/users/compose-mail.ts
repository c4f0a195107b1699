/** Composes e-mails to users. Each links to a page of the console or the portal. */

import { formatRfc3339 } from '../../core/clock.ts';
import { escapeHtml as escaped } from '../../core/escape-html.ts';
import { newId } from '../../core/ids.ts';
import { formatAmount } from '../../core/money.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { type About, listDeciders, titleOf } from '../../oversight/approvals/approval-answer.ts';
import { type ApprovalRow, findApproval } from '../../oversight/approvals/approval-store.ts';
import type { Looking } from '../../oversight/approvals/is-one-person.ts';
import { findLowWallet } from '../../wallet/wallet-alert-store.ts';
import type { LinkPurpose } from './link-store.ts';
import { insertMail, type MailRow } from './mail-store.ts';
import type { UserRow } from './user-store.ts';

export type Mail = {
  /** The same for every attempt to send it. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

export type MailedLink = Exclude<LinkPurpose, 'sign_in'>;

const texts: Readonly<Record<MailedLink, { subject: string; lead: string; end: string }>> = {
  invitation: {
    subject: 'You are invited to Oja',
    lead: 'You are invited to sign in',
    end: "The link works once and expires in 72 hours. If you didn't expect this invitation, ignore this e-mail.",
  },
  reset: {
    subject: 'Reset your Oja password',
    lead: 'We received a request to reset the password with which you sign in',
    end: "The link works once and expires in one hour. If this wasn't you, ignore this e-mail.",
  },
};

export function composeLinkMail(
  id: string,
  user: Pick<UserRow, 'email' | 'merchant_name'>,
  purpose: MailedLink,
  link: string,
): Mail {
  const { subject, lead, end } = texts[purpose];
  const where = user.merchant_name === null ? 'at the console' : `for ${user.merchant_name}`;
  const sentence = `${lead} ${where}:`;
  return {
    id,
    to: user.email,
    subject,
    text: `${sentence}\n\n${link}\n\n${end}\n`,
    html:
      `<p>${escaped(sentence)}</p>` +
      `<p><a href="${escaped(link)}">${escaped(link)}</a></p><p>${escaped(end)}</p>`,
  };
}

/** Composes the e-mail about an approval request. */
function composeApprovalMail(
  id: string,
  to: string,
  {
    operation,
    about,
    asked_by: asker,
    asked_principal: principal,
    expires_at: end,
  }: Pick<ApprovalRow, 'operation' | 'about' | 'asked_by' | 'asked_principal' | 'expires_at'>,
  link: string,
): Mail {
  const what = titleOf(operation);
  const [, email] = /^user:\S+ \((.+)\)$/.exec(principal) ?? [];
  const facts: readonly (readonly [string, string])[] = [
    ['Request', what],
    ...factsAbout(about),
    ['Requested by', email === undefined ? asker : `${asker} (${email})`],
    ['Expires at', `${formatRfc3339(end).slice(0, 16).replace('T', ' ')} in Lagos`],
  ];
  const lead = 'A request needs the approval of a second person, and you can approve it.';
  const close =
    'Read the request and approve or reject it there. It does not take effect before it is approved.';
  return {
    id,
    to,
    subject: oneLine(`Approval needed: ${[what, ...factsAbout(about).map(([, value]) => value)].join(', ')}`),
    text: [lead, facts.map(([name, value]) => `${name}: ${oneLine(value)}`).join('\n'), link, close]
      .join('\n\n')
      .concat('\n'),
    html:
      `<p>${escaped(lead)}</p>` +
      `<p>${facts.map(([name, value]) => `${name}: ${escaped(oneLine(value))}`).join('<br>')}</p>` +
      `<p><a href="${escaped(link)}">${escaped(link)}</a></p><p>${escaped(close)}</p>`,
  };
}

function factsAbout(about: About | null): readonly (readonly [string, string])[] {
  if (about === null) return [];
  const { amount, currency, naira, merchant, purchase, price_list: list } = about;
  const inNaira = naira === null ? [] : [`NGN ${grouped(naira)}`];
  const own = amount === null || currency === 'NGN' ? [] : [`${currency} ${grouped(amount)}`];
  const money = [...own, ...inNaira];
  return [
    ...(money.length === 0 ? [] : [['Amount', money.join(' = ')] as const]),
    ...(merchant === null ? [] : [['Merchant', `${merchant.name} (${merchant.code})`] as const]),
    ...(purchase === null ? [] : [['Purchase', purchase.reference] as const]),
    ...(list === null ? [] : [['Price list', list] as const]),
  ];
}

/** Returns `2,500,000.00` for `2500000.00`. */
function grouped(amount: string): string {
  return amount.replaceAll(/\B(?=(\d{3})+\.)/g, ',');
}

function oneLine(text: string): string {
  return text.replaceAll(/\p{Cc}+/gu, ' ').trim();
}

/**
 * Queues an e-mail to each user who may approve a request, in the transaction of the request. The
 * right is checked again before sending: no e-mail is sent to a user who may no longer approve it,
 * or after the decision.
 */
export async function insertApprovalMails(
  tx: Tx,
  approval: ApprovalRow,
  rolesOf: Looking['rolesOf'],
): Promise<void> {
  for (const { user_id: userId, email } of await listDeciders(tx, approval, rolesOf)) {
    if (userId === null || email === null) continue;
    const to = { id: newId(), face: 'console', user_id: userId, email } as const;
    await insertMail(tx, { ...to, purpose: 'approval', approval_id: approval.id });
  }
}

/** Returns the e-mail, or undefined if it is no longer needed. */
export async function readApprovalMail(
  sql: Sql,
  { id, user_id: userId, approval_id: approvalId }: MailRow,
  consoleUrl: string,
  rolesOf: Looking['rolesOf'],
): Promise<Mail | undefined> {
  const approval = approvalId === null ? undefined : await findApproval(sql, approvalId);
  if (approval === undefined) return undefined;
  const deciders = await listDeciders(sql, approval, rolesOf);
  const to = deciders.find((person) => person.user_id === userId)?.email;
  if (to === undefined || to === null) return undefined;
  const link = `${consoleUrl.replace(/\/$/, '')}/approvals/${approval.id}`;
  return composeApprovalMail(id, to, approval, link);
}

/** Returns the e-mail about a low balance, or undefined if it is no longer needed. */
export async function readLowBalanceMail(
  sql: Sql,
  { id, user_id: userId, wallet_id: walletId }: MailRow,
  portalUrl: string,
): Promise<Mail | undefined> {
  if (walletId === null || userId === null) return undefined;
  const low = await findLowWallet(sql, walletId, userId);
  if (low === undefined) return undefined;
  const { email: to, merchant, environment, currency } = low;
  const available = `${currency} ${grouped(formatAmount(low.available))}`;
  const threshold = `${currency} ${grouped(formatAmount(low.threshold))}`;
  const lead = oneLine(
    `The ${environment} wallet of ${merchant} has ${available} available, which is below ${threshold}.`,
  );
  const close = 'Add funds, or change this alert under Balance:';
  const link = `${portalUrl.replace(/\/$/, '')}/balance`;
  return {
    id,
    to,
    subject: oneLine(`Low balance of ${merchant}: ${available} (${environment})`),
    text: `${lead}\n\n${close}\n\n${link}\n`,
    html:
      `<p>${escaped(lead)}</p><p>${escaped(close)}</p>` +
      `<p><a href="${escaped(link)}">${escaped(link)}</a></p>`,
  };
}
