/** The e-mails that bring somebody a link. */
import type { MailPurpose } from './mail-store.ts';
import type { UserRow } from './user-store.ts';

export type LinkMail = {
  /** The same at every try of one link. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
};

const words: Readonly<Record<MailPurpose, { subject: string; lead: string; end: string }>> = {
  invitation: {
    subject: 'You are invited',
    lead: 'You are invited to sign in',
    end: 'The link works once, for 72 hours. If you did not expect it, do nothing.',
  },
  reset: {
    subject: 'Choose a new password',
    lead: 'Somebody asked for a new password for you to sign in',
    end: 'The link works once, for an hour. If it was not you, do nothing: nothing has changed.',
  },
};

export function composeLinkMail(
  id: string,
  user: Pick<UserRow, 'email' | 'merchant_name'>,
  purpose: MailPurpose,
  link: string,
): LinkMail {
  const { subject, lead, end } = words[purpose];
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

/** A merchant's name is whatever somebody called it. */
function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
