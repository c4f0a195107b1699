/**
 * Writes the tables of settings in docs/operators/settings.md: `npm run settings`. Names, defaults
 * and ranges come from the gateway's settings. The meaning of each is in this file. A test compares
 * the page, so a new setting needs its meaning here, or on the page of its provider.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readConfig } from '../../src/app/config.ts';
import { registriesOf } from '../../src/app/registries.ts';
import { SettingsReader } from '../../src/core/settings-reader.ts';
import { replaceWritten } from './replace-written.ts';

const page = join(import.meta.dirname, '..', '..', 'docs', 'operators', 'settings.md');

export function readSettingsPage(): string {
  return readFileSync(page, 'utf8');
}

type Meanings = Readonly<Record<string, string>>;

/** By the heading of their table. */
const groups: Readonly<Record<string, Meanings>> = {
  'The process': {
    OJA_PROFILE: 'what this installation is for ([profiles](running.md#two-profiles))',
    OJA_ROLE: 'what this process runs ([processes](running.md#processes))',
    OJA_DATA_DIR:
      'files of this process, such as the record by which a start notices an older database. Keep it',
    OJA_LOG_LEVEL: 'the least level of log lines',
    OTEL_EXPORTER_OTLP_ENDPOINT: 'an OpenTelemetry collector for [traces](metrics.md#traces)',
    OJA_STOP_GRACE_S: 'seconds that a stop still serves, so that load balancers notice',
  },
  Listeners: {
    HOST: 'address of the API',
    PORT: 'port of the API; 0 takes a free one',
    OJA_ADMIN_HOST: 'address of the [admin API](access.md#the-admin-api)',
    OJA_ADMIN_PORT: 'its port',
    OJA_CONSOLE_HOST: 'address of the [console](console.md)',
    OJA_CONSOLE_PORT: 'its port',
    OJA_CONSOLE_URL: 'what people type to reach the console; links and passkeys need it',
    OJA_PORTAL_HOST: 'address of the merchants’ portal',
    OJA_PORTAL_PORT: 'its port',
    OJA_PORTAL_URL: 'what people type to reach the portal',
    METRICS_HOST: 'address of `/metrics`, `/healthz` and `/readyz`',
    METRICS_PORT: 'their port',
    OJA_TRUSTED_PROXIES: 'networks whose `X-Forwarded-For` is believed, separated by commas',
    OJA_CORS_ORIGINS:
      'origins of web pages that may call the API, separated by commas. A credential in a page can be stolen',
  },
  'The database and its keys': {
    DATABASE_URL: 'one PostgreSQL, 15 or later: `postgresql://…@host:5432/oja`. Required in production',
    OJA_DATABASE_CONNECTIONS: 'connections of this process; allow 3 more',
    OJA_CELLS:
      'partitions by merchant that a new database gets; fixed from then on ([cells](../maintainers/distributed.md))',
    OJA_ENCRYPTION_KEY: '32 random bytes that [seal](keys.md) secrets. Required in production',
    OJA_ENCRYPTION_KEYS_OLD: 'earlier keys, separated by commas, until `oja key rotate` has run',
    OJA_BACKUP_MAX_AGE_HOURS: 'hours without a recorded [backup](backup.md) until an alarm; 0: never',
  },
  'Limits and times': {
    OJA_CORRECTION_LIMIT:
      'naira of live money that one person may give away in 24 hours without a [second person](approvals.md); 0: no limit',
    OJA_RATE_LIMIT_PER_S: 'requests a second of one credential, and of one merchant; 0: no limit',
    OJA_SYNC_DEADLINE_S:
      'seconds that a sync purchase waits for its outcome. A [stop](running.md#stopping) waits 10 s longer',
    OJA_ASYNC_PATIENCE_S: 'seconds until an async purchase fails that could not be sent',
    OJA_NOT_FOUND_GRACE_S:
      'seconds in which VTpass’s “unknown request id” is not believed. Keep 1800 or more for live VTpass',
    OJA_WEBHOOK_NETWORKS: 'private networks that webhooks may reach, separated by commas',
  },
  'Personal data': {
    OJA_RETENTION_PURCHASES_DAYS:
      'days until numbers of purchases are masked, and all of the next line; 0: never ([retention](retention.md))',
    OJA_RETENTION_CUSTOMERS_DAYS: 'days until names, addresses and contact phones of customers go',
    OJA_RETENTION_DELIVERIES_DAYS: 'days until addresses go that orders were sent to',
    OJA_RETENTION_IDENTITIES_DAYS: 'days until what merchants registered for funding goes',
    OJA_DOCUMENT_DAYS: 'days until documents of identity go; 0: never',
  },
  'E-mail, SMS and WhatsApp': {
    OJA_SMTP_URL:
      'the mail server: `smtp://user:password@host:587` (STARTTLS), `smtps://…:465`, or `smtp://…?tls=none` on this machine. Percent-encode special characters',
    OJA_SMTP_FROM: 'the sender, such as `Mama Put <cards@shop.example>`; required with the URL',
    OJA_TERMII_BASE_URL: 'your Termii address from its dashboard, without `/api`',
    OJA_TERMII_API_KEY: 'its API key',
    OJA_TERMII_SENDER_ID: 'an approved sender id',
    OJA_TERMII_SMS_CHANNEL: '`dnd` reaches numbers that refuse promotions, after Termii activates it',
    OJA_TERMII_WHATSAPP_DEVICE: 'the connected device; without it nothing goes by WhatsApp',
  },
  Providers: {
    OJA_PROVIDER_LIMITS:
      'calls at once and a second, where the [defaults](sharing.md#calls-to-a-provider) do not fit, such as `vtpass=80,nomba=50@10`',
    OJA_BUSINESS_NAME:
      'your name, as billers of Nomba and receivers of gift cards see it. BuyPower gets it for a customer without a name',
    OJA_CONTACT_PHONE: 'your mobile number, sent with bills that have none; VTpass may text the token to it',
    OJA_CONTACT_EMAIL: 'your e-mail address, which BuyPower requires with every bill',
    OJA_VTPASS_BASE_URL: 'default `https://vtpass.com/api` ([VTpass](providers/vtpass.md))',
    OJA_VTPASS_API_KEY: 'the API key',
    OJA_VTPASS_PUBLIC_KEY: 'the public key, for calls that read',
    OJA_VTPASS_SECRET_KEY: 'the secret key, for calls that buy',
    OJA_NOMBA_BASE_URL: 'default `https://api.nomba.com` ([Nomba](providers/nomba.md))',
    OJA_NOMBA_ACCOUNT_ID: 'the parent account',
    OJA_NOMBA_SUB_ACCOUNT_ID: 'the sub-account that pays',
    OJA_NOMBA_CLIENT_ID: 'the client of access tokens',
    OJA_NOMBA_CLIENT_SECRET: 'its secret',
    OJA_NOMBA_SIGNATURE_KEY: 'the key of webhooks; without it they are refused',
    OJA_CLUBKONNECT_BASE_URL:
      'default `https://www.nellobytesystems.com` ([ClubKonnect](providers/clubkonnect.md))',
    OJA_CLUBKONNECT_USER_ID: 'the user id',
    OJA_CLUBKONNECT_API_KEY: 'the API key',
    OJA_SMEPLUG_BASE_URL: 'default `https://smeplug.ng/api/v1` ([SMEPlug](providers/smeplug.md))',
    OJA_SMEPLUG_SECRET_KEY: 'the secret key',
    OJA_RELOADLY_BASE_URL: 'default `https://giftcards.reloadly.com` ([Reloadly](providers/reloadly.md))',
    OJA_RELOADLY_CLIENT_ID: 'the API client',
    OJA_RELOADLY_CLIENT_SECRET: 'its secret',
    OJA_RELOADLY_SIGNING_SECRET: 'the secret of webhooks; without it they are refused',
    OJA_ESIMACCESS_BASE_URL: 'default `https://api.esimaccess.com` ([eSIM Access](providers/esimaccess.md))',
    OJA_ESIMACCESS_ACCESS_CODE: 'the access code',
    OJA_ESIMACCESS_SECRET_KEY: 'the key that signs requests',
    OJA_BUYPOWER_BASE_URL: 'default `https://api.buypower.ng/v2` ([BuyPower](providers/buypower.md))',
    OJA_BUYPOWER_TOKEN: 'the token',
    OJA_BUYPOWER_QUERY_PATH: 'the path of queries',
    OJA_FLUTTERWAVE_BILLS_BASE_URL:
      'default `https://api.flutterwave.com/v3` ([Flutterwave bills](providers/flutterwave-bills.md))',
    OJA_FLUTTERWAVE_BILLS_SECRET_KEY: 'the secret key',
    OJA_FLUTTERWAVE_BILLS_SECRET_HASH: 'the secret hash of webhooks; without it they are refused',
    OJA_FLUTTERWAVE_BILLS_CALLBACK: 'the address of webhooks, sent with every order',
    OJA_FLUTTERWAVE_BILLS_AIRTIME: 'codes of airtime by network; default `MTN=BIL099:AT099`',
    OJA_VTUNG_BASE_URL: 'default `https://vtu.ng/wp-json` ([VTU.ng](providers/vtung.md))',
    OJA_VTUNG_USERNAME: 'the account, which only Oja may use',
    OJA_VTUNG_PASSWORD: 'its password',
    OJA_VTUNG_PIN: 'the transaction PIN, which signs webhooks; without it they are refused',
    OJA_EASYACCESS_BASE_URL:
      'default `https://easyaccessapi.com.ng/api` ([EasyAccess](providers/easyaccess.md))',
    OJA_EASYACCESS_TOKEN: 'the API token',
    OJA_OGDAMS_BASE_URL: 'default `https://simhosting.ogdams.ng` ([OGDAMS](providers/ogdams.md))',
    OJA_OGDAMS_SECRET_KEY: 'the secret key',
    OJA_OGDAMS_BALANCE_FIELD: 'the field of `get/balances` with the main wallet, such as `data.main`',
    OJA_PANEL_URL: 'the address of the [panel](providers/panel.md)',
    OJA_PANEL_KEY: 'its key or token',
    OJA_PANEL_LOGIN: '`username:password`, by which `adex` reads the balance',
    OJA_PANEL_MAPPING: 'the mapping, as JSON',
    OJA_PANEL_PROVISIONAL:
      'where a success is not final because the panel is known to lie: `async` sends no sync purchases, `sync` does, `final` believes it',
  },
  'Banks for funding accounts': {
    OJA_FUNDING_PROVIDER: 'where new accounts are opened; by default the first that is set up',
    OJA_MONNIFY_BASE_URL: 'default `https://api.monnify.com` ([Monnify](providers/monnify.md))',
    OJA_MONNIFY_API_KEY: 'the API key',
    OJA_MONNIFY_SECRET_KEY: 'the secret key; it also signs notices',
    OJA_MONNIFY_CONTRACT_CODE: 'the contract of the accounts',
    OJA_MONNIFY_PREFERRED_BANKS: 'bank codes, separated by commas',
    OJA_PAYSTACK_BASE_URL: 'default `https://api.paystack.co` ([Paystack](providers/paystack.md))',
    OJA_PAYSTACK_SECRET_KEY: 'the secret key; it also signs notices',
    OJA_PAYSTACK_PREFERRED_BANK: '`titan-paystack`, `wema-bank` or `access-bank`',
    OJA_FLUTTERWAVE_BASE_URL:
      'default `https://api.flutterwave.com/v3` ([Flutterwave](providers/flutterwave.md))',
    OJA_FLUTTERWAVE_SECRET_KEY: 'the secret key',
    OJA_FLUTTERWAVE_SECRET_HASH: 'the secret hash of webhooks',
    OJA_PAYVESSEL_BASE_URL: 'default `https://api.payvessel.com` ([Payvessel](providers/payvessel.md))',
    OJA_PAYVESSEL_API_KEY: 'the API key',
    OJA_PAYVESSEL_API_SECRET:
      'the secret, with `Bearer ` before it if your account needs that; it also signs notices',
    OJA_PAYVESSEL_BUSINESS_ID: 'the business of the accounts',
    OJA_PAYVESSEL_BANKS: 'bank codes, separated by commas: `999991` PalmPay, `120001` 9PSB',
  },
  'Demo and tests': {
    OJA_DEMO_HISTORY: 'whether a new demo gets a history of purchases',
    OJA_SIMULATOR_URL: 'a simulator that runs already',
    OJA_SIMULATOR_PORT: 'port of the simulator that the demo starts',
    OJA_TIME_SCALE: 'multiplies deadlines, waits and graces: above 0, at most 1. Refused in production',
    OJA_STOP_AT: 'for crash tests: the process kills itself at this point. Never set it',
  },
};

type Read = { readonly fallback: string; readonly range: string };

/** Notes the default and the allowed values of each setting that is read. */
class RecordingReader extends SettingsReader {
  readonly read = new Map<string, Read>();

  #note(name: string, fallback: string, range = ''): void {
    this.read.set(name, { fallback, range });
  }

  override text(name: string, fallback: string): string {
    this.#note(name, fallback);
    return super.text(name, fallback);
  }

  override integer(name: string, fallback: number, range: { min: number; max: number }): number {
    this.#note(name, String(fallback), `${range.min} to ${range.max}`);
    return super.integer(name, fallback, range);
  }

  override choice<T extends string>(name: string, choices: readonly T[], fallback: T): T {
    const found = super.choice(name, choices, fallback);
    this.#note(name, fallback, choices.join(', '));
    return found;
  }

  override optionalChoice<T extends string>(name: string, choices: readonly T[]): T | undefined {
    if (choices.length < 10) this.#note(name, '', choices.join(', '));
    return super.optionalChoice(name, choices);
  }
}

function readAs(profile: 'demo' | 'production'): RecordingReader {
  const reader = new RecordingReader({ OJA_PROFILE: profile });
  readConfig(reader, registriesOf());
  return reader;
}

const [production, demo] = [readAs('production'), readAs('demo')];

/** Every name that the gateway reads. */
export function settingNames(): ReadonlySet<string> {
  return new Set([...production.names, ...demo.names]);
}

/** Every name that the page explains. */
export function explainedSettings(): string[] {
  return Object.values(groups).flatMap((meanings) => Object.keys(meanings));
}

function rowOf(name: string, meaning: string): string {
  const { fallback = '', range = '' } = production.read.get(name) ?? {};
  const inDemo = demo.read.get(name)?.fallback ?? fallback;
  const value = fallback === '' ? '' : `\`${fallback}\``;
  const values = inDemo === fallback ? value : `${value} (demo \`${inDemo}\`)`;
  const allowed = /^\d+ to \d+$/.test(range) || range === '' ? '' : `: ${codes(range)}`;
  return `| \`${name}\` | ${values} | ${meaning}${allowed} |`;
}

function codes(list: string): string {
  return list
    .split(', ')
    .map((one) => `\`${one}\``)
    .join(', ');
}

function tables(): string {
  return Object.entries(groups)
    .map(([heading, meanings]) =>
      [
        `## ${heading}`,
        '',
        '| Setting | Default | Meaning |',
        '|---|---|---|',
        ...Object.entries(meanings).map(([name, meaning]) => rowOf(name, meaning)),
      ].join('\n'),
    )
    .join('\n\n');
}

/** The page with current tables. */
export function withSettings(text: string): string {
  return replaceWritten(text, 'settings', tables());
}

if (import.meta.main) writeFileSync(page, withSettings(readSettingsPage()));
