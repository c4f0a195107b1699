/**
 * Sends e-mail through any SMTP server, with a connection for each message. Before the server asks
 * for the message's text nothing can be delivered, so a failure is certain. After that only the
 * server's own refusal counts, and any other failure leaves doubt.
 */

import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Message, Messenger, SendOutcome } from '../messenger.ts';

export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  /**
   * `implicit`: TLS from the first byte. `starttls`: upgraded, or not used. `none`: in clear, for a
   * server on the same machine.
   */
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** As the customer sees it, for example `Shop <cards@shop.example>`. */
  readonly from: string;
  /** Of each step: connecting, greeting, an answer. Default 20,000. */
  readonly stepTimeoutMs?: number;
};

const STEP_TIMEOUT_MS = 20_000;

export function createSmtp(settings: SmtpSettings): Messenger {
  return {
    name: 'smtp',
    channels: new Set(['email'] as const),
    send: (message, signal) => send(settings, message, signal),
    [Symbol.asyncDispose]: () => Promise.resolve(),
  };
}

async function send(settings: SmtpSettings, message: Message, signal: AbortSignal): Promise<SendOutcome> {
  const raw = await compileMail(message, settings.from);
  const text = new Text(raw);
  const connection = await openConnection(settings);
  const { promise: broken, reject } = Promise.withResolvers<never>();
  connection.on('error', reject);
  connection.once('end', () => reject(errorOf('ECONNECTION')));
  const onAbort = (): void => reject(errorOf('ABORTED'));
  signal.addEventListener('abort', onAbort);
  if (signal.aborted) onAbort();
  // What happens after the outcome does not matter.
  broken.catch(() => undefined);
  try {
    await Promise.race([broken, connect(connection, settings)]);
    const envelope = { from: bareAddress(settings.from), to: [message.to], size: raw.length };
    const messageId = await Promise.race([broken, post(connection, envelope, text)]);
    return { kind: 'sent', code: '250', note: 'the mail server has taken it', messageId };
  } catch (error) {
    return checkSmtpError(error, text.wasAskedFor);
  } finally {
    signal.removeEventListener('abort', onAbort);
    connection.close();
  }
}

function errorOf(code: string): Error {
  return Object.assign(new Error('the connection is over'), { code });
}

/** Notes whether anybody has begun to read it. */
class Text extends Readable {
  wasAskedFor = false;
  readonly #raw: Buffer;

  constructor(raw: Buffer) {
    super();
    this.#raw = raw;
  }

  override _read(): void {
    this.wasAskedFor = true;
    this.push(this.#raw);
    this.push(null);
  }
}

async function openConnection({
  host,
  port,
  tls,
  stepTimeoutMs = STEP_TIMEOUT_MS,
}: SmtpSettings): Promise<SMTPConnection> {
  // Loaded with the first e-mail: many gateways send none.
  const { default: Connection } = await import('nodemailer/lib/smtp-connection');
  return new Connection({
    host,
    port,
    secure: tls === 'implicit',
    requireTLS: tls === 'starttls',
    ignoreTLS: tls === 'none',
    connectionTimeout: stepTimeoutMs,
    greetingTimeout: stepTimeoutMs,
    socketTimeout: stepTimeoutMs,
    dnsTimeout: stepTimeoutMs,
    tls: { minVersion: 'TLSv1.2' },
  });
}

async function connect(connection: SMTPConnection, { user, password }: SmtpSettings): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    connection.connect((error) => (error ? reject(error) : resolve()));
  });
  if (user === undefined) return;
  await new Promise<void>((resolve, reject) => {
    connection.login({ user, pass: password ?? '' }, (error) => (error ? reject(error) : resolve()));
  });
}

async function post(
  connection: SMTPConnection,
  envelope: { from: string; to: string[]; size: number },
  text: Readable,
): Promise<string> {
  return await new Promise<string>((resolve, reject) => {
    connection.send(envelope, text, (error, info) => (error ? reject(error) : resolve(idIn(info.response))));
  });
}

/**
 * The server's own id of the message, where its last answer has one. Bounded, and never an address.
 */
function idIn(response: string): string {
  return /(?:queued as|id=?)\s*<?([\w.-]{4,64})/i.exec(response)?.[1] ?? '250';
}

/**
 * What an error proves. Its text is not stored, since a server may quote the address or the
 * message.
 */
function checkSmtpError(error: unknown, textWasAskedFor: boolean): SendOutcome {
  const { code, responseCode, command } = smtpWords(error);
  const said = responseCode === undefined ? code : `${responseCode}`;
  if (textWasAskedFor) {
    // Only the answer that follows the text says what the server did with this message.
    if (code !== 'EMESSAGE' || responseCode === undefined) {
      return {
        kind: 'unknown',
        code: said,
        note: 'the connection broke after the message had been asked for',
      };
    }
    return responseCode >= 500
      ? { kind: 'refused', code: said, note: 'the mail server refuses the message' }
      : { kind: 'not_sent', code: said, note: 'the mail server does not take the message now' };
  }
  if (command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500) {
    return { kind: 'refused', code: said, note: 'the mail server refuses the address' };
  }
  return { kind: 'not_sent', code: said, note: `not taken, at ${command}` };
}

function smtpWords(error: unknown): { code: string; responseCode: number | undefined; command: string } {
  if (!(error instanceof Error)) return { code: 'error', responseCode: undefined, command: 'CONN' };
  const { code, responseCode, command } = error as {
    code?: unknown;
    responseCode?: unknown;
    command?: unknown;
  };
  return {
    code: typeof code === 'string' ? code : error.name,
    responseCode: typeof responseCode === 'number' ? responseCode : undefined,
    command: typeof command === 'string' ? command.split(' ').slice(0, 2).join(' ').trim() || 'CONN' : 'CONN',
  };
}

/**
 * Connects and signs in, and sends nothing. Why that fails, in a code; undefined where it works.
 */
export async function greetSmtp(settings: SmtpSettings): Promise<string | undefined> {
  const connection = await openConnection(settings);
  const { promise: broken, reject } = Promise.withResolvers<never>();
  connection.on('error', reject);
  broken.catch(() => undefined);
  try {
    await Promise.race([broken, connect(connection, settings)]);
    return undefined;
  } catch (error) {
    const { code, responseCode, command } = smtpWords(error);
    return `${responseCode ?? code}, at ${command}`;
  } finally {
    connection.close();
  }
}

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
function bareAddress(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}
