/**
 * The settings of a gateway, read from its environment variables. All errors are reported together,
 * and none of them quotes a secret.
 */
import { type LevelWithSilent, levels } from 'pino';
import { CodedError } from '../core/errors.ts';
import { failpointNames, type StopPoint } from '../core/failpoints.ts';
import { parseSealingKey, type SealingKey } from '../core/sealing.ts';
import { SettingsReader, type Variables } from '../core/settings-reader.ts';
import type { BankDefinition, ConfiguredBank } from '../funding/banks/bank-definition.ts';
import {
  readSmtp,
  readTermii,
  type SmtpConfig,
  type TermiiConfig,
} from '../notifications/messages/messenger-config.ts';
import type { Periods } from '../operate/retention/forget-old.ts';
import type { ConfiguredProvider, ProviderDefinition } from '../providers/provider-definition.ts';
import { type ProviderLimits, readProviderLimits } from '../providers/provider-limits.ts';
import { readAudiences } from './console-config.ts';
import type { Registries } from './registries.ts';

export type { Variables };

export type Config = {
  readonly profile: 'demo' | 'production';
  /** Whether a new demo gets a history. */
  readonly demoHistory: 'small' | 'none';
  readonly role: 'api' | 'worker' | 'all';
  readonly host: string;
  readonly port: number;
  /** The address of `/metrics`, separate from the API. */
  readonly metricsHost: string;
  readonly metricsPort: number;
  readonly adminHost: string;
  readonly adminPort: number;
  /** Whether the settings name the port. If not, the gateway starts even if the port is in use. */
  readonly isAdminPortSet: boolean;
  /** The console and the portal. */
  readonly faces: ReturnType<typeof readAudiences>;
  /**
   * The amount in kobo that one person may give away in 24 hours without a second person
   * (bound-gifts.ts). Absent: no limit.
   */
  readonly correctionLimit: bigint | undefined;
  readonly isCorrectionLimitChosen: boolean;
  /** Addresses or networks whose `X-Forwarded-For` is trusted; empty: none. */
  readonly trustedProxies: readonly string[];
  /** The web pages that may call the API from a browser; empty: none. */
  readonly corsOrigins: readonly string[];
  readonly dataDir: string;
  readonly contactPhone: string | undefined;
  readonly contactEmail: string | undefined;
  readonly businessName: string;
  /** Absent: Oja runs its own PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databaseConnections: number;
  /**
   * How many cells a new database gets. Absent: one, or the number that the database was created
   * with.
   */
  readonly cells: number | undefined;
  /** After how many hours the last backup is old; 0: never. */
  readonly backupMaxAgeHours: number;
  /** Absent in the demo profile: the key is then in a file under `dataDir`. */
  readonly encryptionKey: SealingKey | undefined;
  /** The keys of values that are not yet sealed again under the current key. */
  readonly oldEncryptionKeys: readonly SealingKey[];
  readonly logLevel: LevelWithSilent;
  /** 0 turns the limit off. */
  readonly rateLimitPerS: number;
  /** The factor of every duration: 1, or less in tests and demos. */
  readonly timeScale: number;
  readonly notFoundGraceMs: number;
  readonly syncDeadlineMs: number;
  readonly asyncPatienceMs: number;
  readonly drainMs: number;
  /** How long requests are still served after a stop, so that load balancers notice it. */
  readonly stopGraceMs: number;
  /** The OpenTelemetry collector; absent: tracing is off. */
  readonly tracingUrl: string | undefined;
  /** Absent if the gateway starts its own simulator (demo) or has none (production). */
  readonly simulatorUrl: string | undefined;
  readonly simulatorPort: number;
  /** The limits that replace the defaults of providers, by the provider's name. */
  readonly providerLimits: ReadonlyMap<string, ProviderLimits>;
  /**
   * The providers whose settings are given, by name. In the demo the simulator stands in for
   * others.
   */
  readonly providers: ReadonlyMap<string, ConfiguredProvider>;
  /** The same for the banks that keep funding accounts. */
  readonly banks: ReadonlyMap<string, ConfiguredBank>;
  /** The bank at which new live funding accounts are opened. Absent: the first live bank. */
  readonly fundingProvider: string | undefined;
  /** How often each funding account's payments are listed. */
  readonly fundingSweepMs: number;
  /** How many days an identity document is kept. Absent: until an operator deletes it. */
  readonly documentDays: number | undefined;
  /** After how many days personal data is removed, by kind. */
  readonly retention: Periods;
  /** Networks in which webhooks may use private addresses. Empty: none. */
  readonly webhookNetworks: readonly string[];
  /** Absent: the demo writes e-mails to files, and production sends none. */
  readonly smtp: SmtpConfig | undefined;
  /** Absent: the demo's simulator replaces Termii, and production sends nothing to phones. */
  readonly termii: TermiiConfig | undefined;
  /** For crash tests: the failpoint where the process kills itself. */
  readonly stopAt: StopPoint | undefined;
};

export class ConfigError extends CodedError<'settings_malformed'> {
  override readonly name = 'ConfigError';
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      'settings_malformed',
      `the settings have ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n- ${faults.join('\n- ')}`,
    );
    this.faults = faults;
  }
}

/** Throws ConfigError with every fault. */
export function loadConfig(variables: Variables, registries: Registries): Config {
  const read = new SettingsReader(variables);
  const config = readConfig(read, registries);
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
}

/** The errors are those of `read`. If there are any, the result must not be used. */
export function readConfig(read: SettingsReader, registries: Registries): Config {
  const gateway = {
    ...readGateway(read),
    providerLimits: readProviderLimits(read, liveNames(registries.providers)),
  };
  const config: Config = {
    ...gateway,
    providers: byName(registries.providers.map((provider) => provider.read(read, gateway))),
    banks: byName(registries.banks.map((bank) => bank.read(read))),
    fundingProvider: read.optionalChoice('OJA_FUNDING_PROVIDER', liveNames(registries.banks)),
    fundingSweepMs: read.timeScale * (gateway.profile === 'demo' ? 30_000 : 300_000),
    documentDays: read.integer('OJA_DOCUMENT_DAYS', 0, { min: 0, max: 36_500 }) || undefined,
    retention: readRetention(read),
    webhookNetworks: read.networks('OJA_WEBHOOK_NETWORKS'),
    smtp: readSmtp(read),
    termii: readTermii(read),
    stopAt: read.optionalChoice('OJA_STOP_AT', failpointNames),
  };
  checkFundingProvider(read, config, registries.banks);
  return config;
}

type GatewayConfig = Omit<
  Config,
  | 'providerLimits'
  | 'providers'
  | 'banks'
  | 'fundingProvider'
  | 'fundingSweepMs'
  | 'documentDays'
  | 'retention'
  | 'webhookNetworks'
  | 'smtp'
  | 'termii'
  | 'stopAt'
>;

/** A purchase can have pending fulfilment for a week, and a provider can reverse it for days. */
const RETENTION_DAYS_LEAST = 30;

function readRetention(read: SettingsReader): Periods {
  const days = (kind: string): number => {
    const name = `OJA_RETENTION_${kind}_DAYS`;
    const value = read.integer(name, 0, { min: 0, max: 36_500 });
    if (value > 0 && value < RETENTION_DAYS_LEAST) {
      read.faults.push(`${name} must be 0 to keep data forever, or at least ${RETENTION_DAYS_LEAST}`);
    }
    return value;
  };
  return {
    purchases: days('PURCHASES'),
    customers: days('CUSTOMERS'),
    deliveries: days('DELIVERIES'),
    identities: days('IDENTITIES'),
  };
}

/** In naira, for a production. */
export const DEFAULT_CORRECTION_LIMIT = 100_000;

/** How much longer a stop waits for running purchases than their callers do. */
const AFTER_DEADLINE_MS = 10_000;

function readGateway(read: SettingsReader): GatewayConfig {
  const profile = read.choice('OJA_PROFILE', ['demo', 'production'], 'demo');
  const databaseUrl = readDatabaseUrl(read);
  const encryptionKey = readKey(read);
  const syncDeadlineMs = read.durationMs('OJA_SYNC_DEADLINE_S', 60, { min: 1, max: 600 });
  if (profile === 'production') {
    read.require('DATABASE_URL', 'a postgresql:// URL');
    read.require('OJA_ENCRYPTION_KEY', '32 random bytes as 64 hex digits or base64');
  }
  return {
    profile,
    demoHistory: read.choice('OJA_DEMO_HISTORY', ['small', 'none'], 'small'),
    role: read.choice('OJA_ROLE', ['api', 'worker', 'all'], 'all'),
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 8080, { min: 0, max: 65_535 }),
    metricsHost: read.text('METRICS_HOST', '127.0.0.1'),
    metricsPort: read.integer('METRICS_PORT', 9464, { min: 0, max: 65_535 }),
    adminHost: read.text('OJA_ADMIN_HOST', '127.0.0.1'),
    adminPort: read.integer('OJA_ADMIN_PORT', 8081, { min: 0, max: 65_535 }),
    isAdminPortSet: read.raw('OJA_ADMIN_PORT') !== undefined,
    faces: readAudiences(read),
    correctionLimit: readCorrectionLimit(read, profile),
    isCorrectionLimitChosen: profile === 'demo' || read.raw('OJA_CORRECTION_LIMIT') !== undefined,
    trustedProxies: read.networks('OJA_TRUSTED_PROXIES'),
    corsOrigins: read.list(
      'OJA_CORS_ORIGINS',
      /^https?:\/\/[a-z0-9.[\]:-]+$/,
      'origins such as https://shop.example, in lower case and without a path',
    ),
    contactPhone: read.mobileNumber('OJA_CONTACT_PHONE'),
    contactEmail: read.emailAddress('OJA_CONTACT_EMAIL'),
    businessName: read.text('OJA_BUSINESS_NAME', 'Oja'),
    dataDir: read.text('OJA_DATA_DIR', './data'),
    databaseUrl,
    databaseConnections: read.integer('OJA_DATABASE_CONNECTIONS', 12, { min: 4, max: 500 }),
    cells: readCells(read),
    backupMaxAgeHours: read.integer('OJA_BACKUP_MAX_AGE_HOURS', 26, { min: 0, max: 8_760 }),
    encryptionKey,
    oldEncryptionKeys: readOldKeys(read),
    logLevel: read.choice(
      'OJA_LOG_LEVEL',
      [...(Object.values(levels.labels) as LevelWithSilent[]), 'silent'],
      'info',
    ),
    rateLimitPerS: read.integer('OJA_RATE_LIMIT_PER_S', 500, { min: 0, max: 1_000_000 }),
    timeScale: read.timeScale,
    notFoundGraceMs: read.durationMs('OJA_NOT_FOUND_GRACE_S', profile === 'demo' ? 15 : 1_800, {
      min: 10,
      max: 86_400,
    }),
    syncDeadlineMs,
    asyncPatienceMs: read.durationMs('OJA_ASYNC_PATIENCE_S', 900, { min: 10, max: 86_400 }),
    drainMs: syncDeadlineMs + AFTER_DEADLINE_MS,
    stopGraceMs: 1_000 * read.integer('OJA_STOP_GRACE_S', profile === 'demo' ? 0 : 5, { min: 0, max: 600 }),
    tracingUrl: read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
    simulatorUrl: read.url('OJA_SIMULATOR_URL', ['http:', 'https:']),
    simulatorPort: read.integer('OJA_SIMULATOR_PORT', 8090, { min: 0, max: 65_535 }),
  };
}

/** Returns the banks whose keys are for tests, in an installation with real money. */
export function testBanks({ profile, banks }: Config): string[] {
  if (profile === 'demo') return [];
  return [...banks.values()].filter(({ isTestAccount }) => isTestAccount).map(({ name }) => name);
}

function readCells(read: SettingsReader): number | undefined {
  const cells = read.integer('OJA_CELLS', 1, { min: 1, max: 16 });
  return read.raw('OJA_CELLS') === undefined ? undefined : cells;
}

/** The limit in kobo, or the default in production. */
function readCorrectionLimit(read: SettingsReader, profile: 'demo' | 'production'): bigint | undefined {
  const naira = profile === 'production' ? DEFAULT_CORRECTION_LIMIT : 0;
  const limit = read.integer('OJA_CORRECTION_LIMIT', naira, { min: 0, max: 9_999_999_999 });
  return BigInt(limit) * 100n || undefined;
}

/** Requires one address: the driver would take a libpq list for the name of one server. */
function readDatabaseUrl(read: SettingsReader): string | undefined {
  const [, authority = '', query = ''] =
    /^[a-z]+:\/\/([^/?#]*)[^?#]*(?:\?([^#]*))?/.exec(read.raw('DATABASE_URL') ?? '') ?? [];
  const parameters = new URLSearchParams(query);
  const hosts = parameters.get('host') || authority.slice(authority.lastIndexOf('@') + 1);
  const isChoosy = (parameters.get('target_session_attrs') ?? 'any') !== 'any';
  if (!hosts.includes(',') && !isChoosy) return read.url('DATABASE_URL', ['postgres:', 'postgresql:']);
  read.faults.push(
    `DATABASE_URL ${isChoosy ? 'has target_session_attrs' : 'names several servers'}: name one address that leads to the primary, such as that of HAProxy`,
  );
  return undefined;
}

function readOldKeys(read: SettingsReader): SealingKey[] {
  const texts = read.text('OJA_ENCRYPTION_KEYS_OLD', '').split(',');
  const keys: SealingKey[] = [];
  for (const text of texts.map((part) => part.trim()).filter((part) => part !== '')) {
    const key = parseSealingKey(text);
    if (key !== undefined) keys.push(key);
    else
      read.faults.push(
        'OJA_ENCRYPTION_KEYS_OLD must be keys of 32 bytes, as 64 hex digits or base64, separated by commas',
      );
  }
  return keys;
}

function readKey(read: SettingsReader): SealingKey | undefined {
  const text = read.raw('OJA_ENCRYPTION_KEY');
  if (text === undefined) return undefined;
  const key = parseSealingKey(text);
  if (key === undefined)
    read.faults.push('OJA_ENCRYPTION_KEY must be 32 random bytes, as 64 hex digits or base64');
  return key;
}

function byName<T extends { readonly name: string }>(
  configured: readonly (T | undefined)[],
): ReadonlyMap<string, T> {
  return new Map(configured.flatMap((one) => (one === undefined ? [] : [[one.name, one]])));
}

function liveNames(
  definitions: readonly Pick<BankDefinition | ProviderDefinition, 'name' | 'environment'>[],
): string[] {
  return definitions.filter(({ environment }) => environment === 'live').map(({ name }) => name);
}

/** In the demo the simulator stands in for banks that it plays. */
function checkFundingProvider(
  read: SettingsReader,
  { profile, fundingProvider, banks }: Config,
  definitions: readonly BankDefinition[],
): void {
  if (fundingProvider === undefined || banks.has(fundingProvider)) return;
  const { simulate } = definitions.find(({ name }) => name === fundingProvider) ?? {};
  if (profile === 'demo' && simulate !== undefined) return;
  read.faults.push(`OJA_FUNDING_PROVIDER is ${fundingProvider}, whose own settings are not given`);
}
