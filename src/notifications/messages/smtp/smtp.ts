/**
 * Sends e-mail through an SMTP server, with one connection a message. A failure before the server
 * asks for the message's text proves that it was not delivered. After that only the server's own
 * refusal proves it, and any other failure is `unknown`.
 */

import { Readable } from 'node:stream';
import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import type { Message, Messenger, SendOutcome } from '../messenger.ts';

export type SmtpSettings = {
  readonly host: string;
  readonly port: number;
  /**
   * `implicit`: TLS from the first byte. `starttls`: required upgrade. `none`: clear text, for a
   * server on the same machine.
   */
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly user: string | undefined;
  readonly password: string | undefined;
  /** For example `Shop <cards@shop.example>`. */
  readonly from: string;
  /** The time limit of each step: connecting, greeting, an answer. Default 20,000. */
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
  // Ignores failures after the outcome.
  broken.catch(() => undefined);
  try {
    await Promise.race([broken, connect(connection, settings)]);
    const envelope = { from: bareAddress(settings.from), to: [message.to], size: raw.length };
    const messageId = await Promise.race([broken, post(connection, envelope, text)]);
    return { kind: 'sent', code: '250', note: 'the mail server accepted the message', messageId };
  } catch (error) {
    return checkSmtpError(error, text.wasRequested);
  } finally {
    signal.removeEventListener('abort', onAbort);
    connection.close();
  }
}

function errorOf(code: string): Error {
  return Object.assign(new Error('the connection has ended'), { code });
}

/** The message's text, which records whether the server requested it. */
class Text extends Readable {
  wasRequested = false;
  readonly #raw: Buffer;

  constructor(raw: Buffer) {
    super();
    this.#raw = raw;
  }

  override _read(): void {
    this.wasRequested = true;
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

/** Extracts the server's id of the message from its last answer. Bounded, and never an address. */
function idIn(response: string): string {
  return /(?:queued as|id=?)\s*<?([\w.-]{4,64})/i.exec(response)?.[1] ?? '250';
}

/**
 * Decides the proof in an error. The text of the error is not stored, because a server may quote
 * the address or the message.
 */
function checkSmtpError(error: unknown, textWasRequested: boolean): SendOutcome {
  const { code, responseCode, command } = smtpError(error);
  const answered = responseCode === undefined ? code : `${responseCode}`;
  if (textWasRequested) {
    // Only the answer after the text is about this message.
    if (code !== 'EMESSAGE' || responseCode === undefined) {
      return {
        kind: 'unknown',
        code: answered,
        note: 'the connection broke after the server requested the message',
      };
    }
    return responseCode >= 500
      ? { kind: 'refused', code: answered, note: 'the mail server refused the message' }
      : { kind: 'not_sent', code: answered, note: 'the mail server does not accept the message now' };
  }
  if (command === 'RCPT TO' && responseCode !== undefined && responseCode >= 500) {
    return { kind: 'refused', code: answered, note: 'the mail server refused the address' };
  }
  return { kind: 'not_sent', code: answered, note: `not accepted, at ${command}` };
}

function smtpError(error: unknown): { code: string; responseCode: number | undefined; command: string } {
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
 * Checks the settings: connects and signs in without sending. Returns the error code, or undefined
 * if it works.
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
    const { code, responseCode, command } = smtpError(error);
    return `${responseCode ?? code}, at ${command}`;
  } finally {
    connection.close();
  }
}

/** Compiles an e-mail. `from` is an address, with or without a display name. */
export async function compileMail(message: Message, from: string): Promise<Buffer> {
  // Loaded with the first e-mail: many gateways send none.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer');
  const mail = new MailComposer({
    from,
    // An object, because a string would be parsed as a list of addresses.
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

/** Extracts the address of `Name <address>` or of a plain address. */
function bareAddress(from: string): string {
  return /<([^<>]+)>\s*$/.exec(from)?.[1] ?? from.trim();
}
