/**
 * Compiles a message into an e-mail as SMTP carries it. The Message-ID comes from the order, so it
 * is the same at every try.
 */
import type { Message } from '../messenger.ts';

/** `from` is an address, with or without a display name. */
export async function compileMail(message: Message, from: string): Promise<Buffer> {
  // Loaded with the first e-mail: many gateways send none.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const mail = new MailComposer({
    from,
    // As an object: text would be read as a list of addresses.
    to: { name: '', address: message.to },
    subject: message.subject,
    text: message.text,
    html: message.html,
    messageId: `<${message.id}@${domainOf(from)}>`,
    headers: { 'Auto-Submitted': 'auto-generated' },
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return await mail.compile().build();
}

function domainOf(from: string): string {
  return /@([A-Za-z0-9.-]+)>?\s*$/.exec(from)?.[1] ?? 'localhost';
}

/** The bare address of `Name <address>` or of an address alone. */
export function bareAddress(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}
