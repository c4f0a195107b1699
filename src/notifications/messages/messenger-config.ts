/** Reads the settings of the mail server and of Termii. */
import type { SettingsReader } from '../../core/settings-reader.ts';

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
  /** Undefined: WhatsApp is not available. */
  readonly whatsappDevice: string | undefined;
  readonly connectionsMax: number;
  readonly deadlineMs: number;
};

const TERMII_CONNECTIONS_MAX = 10;
const TERMII_DEADLINE_MS = 20_000;

/**
 * Reads the mail server. `smtp:` requires TLS before any command, unless the URL ends in
 * `?tls=none`.
 */
export function readSmtp(read: SettingsReader): SmtpConfig | undefined {
  const text = read.url('OJA_SMTP_URL', ['smtp:', 'smtps:']);
  const from = read.mailAddress('OJA_SMTP_FROM');
  if (read.raw('OJA_SMTP_URL') === undefined && read.raw('OJA_SMTP_FROM') === undefined) return undefined;
  read.require('OJA_SMTP_URL', 'the mail server, for example smtp://user:password@mail.example');
  read.require('OJA_SMTP_FROM', 'the address that e-mails come from, for example Shop <cards@shop.example>');
  if (text === undefined) return undefined;
  const url = new URL(text);
  const query = url.search;
  if (query !== '' && (query !== '?tls=none' || url.protocol !== 'smtp:'))
    read.faults.push('OJA_SMTP_URL may have only ?tls=none after the port, and only with smtp://');
  return { ...smtpServerOf(url), from: from ?? '' };
}

function smtpServerOf(url: URL): Omit<SmtpConfig, 'from'> {
  const part = (text: string): string | undefined => (text === '' ? undefined : decoded(text));
  const port = url.port === '' ? (url.protocol === 'smtps:' ? 465 : 587) : Number(url.port);
  const isImplicit = url.protocol === 'smtps:' || port === 465;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ''),
    port,
    tls: url.search === '?tls=none' ? 'none' : isImplicit ? 'implicit' : 'starttls',
    user: part(url.username),
    password: part(url.password),
  };
}

/** Decodes a part of the URL. A password may hold a plain per cent sign. */
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
    connectionsMax: TERMII_CONNECTIONS_MAX,
    deadlineMs: TERMII_DEADLINE_MS * read.timeScale,
  };
  if (given.length === 0) return undefined;
  for (const name of names)
    read.require(name, 'of your Termii account, as the other Termii settings are given');
  return config;
}
