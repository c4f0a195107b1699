/** The settings of the messengers: of a mail server, and of Termii for phones. */
import type { SettingsReader } from '../kernel/settings-reader.ts';

export type SmtpConfig = {
  readonly host: string;
  readonly port: number;
  readonly tls: 'implicit' | 'starttls' | 'none';
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly from: string;
};

export type TermiiConfig = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly senderId: string;
  readonly smsChannel: 'dnd' | 'generic';
  /** Absent: nothing is sent by WhatsApp. */
  readonly whatsappDevice: string | undefined;
  readonly connectionsMax: number;
  readonly deadlineMs: number;
};

/** A server by its URL, or by its parts; not both. */
export function readSmtp(read: SettingsReader): SmtpConfig | undefined {
  const url = read.url('OJA_SMTP_URL', ['smtp:', 'smtps:']);
  const parts = ['OJA_SMTP_HOST', 'OJA_SMTP_PORT', 'OJA_SMTP_USER', 'OJA_SMTP_PASSWORD'];
  const from = read.mailAddress('OJA_SMTP_FROM');
  const host = read.raw('OJA_SMTP_HOST');
  const port = read.integer('OJA_SMTP_PORT', 587, { min: 1, max: 65_535 });
  const given = parts.filter((name) => read.raw(name) !== undefined);
  if (url !== undefined && given.length > 0)
    read.faults.push(`OJA_SMTP_URL says all of ${parts.join(', ')}: set it or them`);
  const server =
    url === undefined
      ? { host, port, user: read.raw('OJA_SMTP_USER'), password: read.raw('OJA_SMTP_PASSWORD') }
      : smtpServerOf(new URL(url));
  const implicit = url?.startsWith('smtps:') === true || server.port === 465;
  const tls = read.choice(
    'OJA_SMTP_TLS',
    ['implicit', 'starttls', 'none'],
    implicit ? 'implicit' : 'starttls',
  );
  if (url === undefined && given.length === 0 && read.raw('OJA_SMTP_FROM') === undefined) return undefined;
  if (url === undefined)
    read.require('OJA_SMTP_HOST', 'the mail server, as the other SMTP settings are given');
  read.require('OJA_SMTP_FROM', 'the address that e-mails come from, for example Shop <cards@shop.example>');
  return { ...server, host: server.host ?? '', tls, from: from ?? '' };
}

function smtpServerOf(url: URL): Pick<SmtpConfig, 'host' | 'port' | 'user' | 'password'> {
  const part = (text: string): string | undefined => (text === '' ? undefined : decoded(text));
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port: url.port === '' ? (url.protocol === 'smtps:' ? 465 : 587) : Number(url.port),
    user: part(url.username),
    password: part(url.password),
  };
}

/** A password may hold a plain per cent sign. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

export function readTermii(read: SettingsReader): TermiiConfig | undefined {
  const names = ['OJA_TERMII_BASE_URL', 'OJA_TERMII_API_KEY', 'OJA_TERMII_SENDER_ID'];
  const given = names.filter((name) => read.raw(name) !== undefined);
  const config: TermiiConfig = {
    baseUrl: read.upstream('OJA_TERMII_BASE_URL') ?? '',
    apiKey: read.text('OJA_TERMII_API_KEY', ''),
    senderId: read.text('OJA_TERMII_SENDER_ID', ''),
    smsChannel: read.choice('OJA_TERMII_SMS_CHANNEL', ['dnd', 'generic'], 'dnd'),
    whatsappDevice: read.raw('OJA_TERMII_WHATSAPP_DEVICE'),
    connectionsMax: read.integer('OJA_TERMII_CONNECTIONS', 10, { min: 1, max: 1_000 }),
    deadlineMs: read.durationMs('OJA_TERMII_DEADLINE_MS', 20_000, { min: 1_000, max: 40_000 }),
  };
  if (given.length === 0) return undefined;
  for (const name of names)
    read.require(name, 'of your Termii account, as the other Termii settings are given');
  return config;
}
