/** Settings: the only reader of the environment. Every fault is reported at once, and none of them quotes a secret. */
import { type LevelWithSilent, levels } from 'pino';
import { parseSealingKey, type SealingKey } from '../kernel/sealing.ts';
import { type Environ, SettingsReader } from '../kernel/settings-reader.ts';
import { type StopPoint, stopPointNames } from '../kernel/stop-points.ts';
import { readSmtp, readTermii, type SmtpConfig, type TermiiConfig } from '../messages/messenger-config.ts';

export type { Environ };

export type VtpassConfig = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly publicKey: string;
  readonly secretKey: string;
  /** Absent: a bill whose customer gave no mobile number is not sent to VTpass. */
  readonly contactPhone: string | undefined;
  readonly connectionsMax: number;
  readonly deadlineMs: number;
};

export type NombaConfig = {
  readonly baseUrl: string;
  readonly accountId: string;
  readonly subAccountId: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly vendVersion: 'v1' | 'v2';
  readonly payerName: string;
  /** Absent: Nomba's webhooks are not taken. */
  readonly signatureKey: string | undefined;
  /** 0 sets no limit. */
  readonly purchasesPerSecond: number;
  readonly connectionsMax: number;
  readonly deadlineMs: number;
  readonly notFoundGraceMs: number;
};

export type MonnifyConfig = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly contractCode: string;
  /** Bank codes; empty: every bank Monnify has. */
  readonly preferredBanks: readonly string[];
  readonly deadlineMs: number;
};

export type PaystackConfig = {
  readonly baseUrl: string;
  readonly secretKey: string;
  readonly preferredBank: string;
  readonly deadlineMs: number;
};

export type EsimAccessConfig = {
  readonly baseUrl: string;
  readonly accessCode: string;
  readonly secretKey: string;
  /** 0 sets no limit. */
  readonly callsPerSecond: number;
  readonly connectionsMax: number;
  readonly deadlineMs: number;
  readonly notFoundGraceMs: number;
};

export type ReloadlyConfig = {
  readonly baseUrl: string;
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly senderName: string;
  /** Absent: Reloadly's webhooks are not taken. */
  readonly signingSecret: string | undefined;
  readonly connectionsMax: number;
  readonly deadlineMs: number;
  readonly notFoundGraceMs: number;
};

export type Config = {
  readonly profile: 'demo' | 'production';
  readonly role: 'api' | 'worker' | 'all';
  readonly host: string;
  readonly port: number;
  readonly metricsPort: number;
  /** Addresses or networks whose `X-Forwarded-For` is believed; empty: nobody's. */
  readonly trustedProxies: readonly string[];
  readonly dataDir: string;
  /** Absent: Oja runs its own PostgreSQL under `dataDir`. */
  readonly databaseUrl: string | undefined;
  readonly databaseConnections: number;
  /** Absent in the demo profile: a key kept under `dataDir`. */
  readonly encryptionKey: SealingKey | undefined;
  /** Those that what is not sealed again yet was sealed under. */
  readonly oldEncryptionKeys: readonly SealingKey[];
  readonly logLevel: LevelWithSilent;
  /** 0 turns the limit off. */
  readonly rateLimitPerS: number;
  readonly notFoundGraceMs: number;
  readonly syncDeadlineMs: number;
  /** How long an order waits for its provider before it is answered as pending. */
  readonly orderWaitMs: number;
  readonly drainMs: number;
  /** Absent when the gateway is to start a simulator of its own (demo), or has none (production). */
  readonly simulatorUrl: string | undefined;
  readonly simulatorPort: number;
  /** Absent: the demo's simulator answers for VTpass; in production it is not configured. */
  readonly vtpass: VtpassConfig | undefined;
  /** The same for Nomba. */
  readonly nomba: NombaConfig | undefined;
  /** The same for the banks that keep funding accounts. */
  readonly monnify: MonnifyConfig | undefined;
  readonly paystack: PaystackConfig | undefined;
  /** Where new funding accounts are opened. Absent: at the first one configured. */
  readonly fundingProvider: 'monnify' | 'paystack' | undefined;
  /** How often each funding account's payments are listed. */
  readonly fundingSweepMs: number;
  /** The same for Reloadly. */
  readonly reloadly: ReloadlyConfig | undefined;
  /** The same for eSIM Access. */
  readonly esimaccess: EsimAccessConfig | undefined;
  /** Absent: the demo writes e-mails to files; in production none is sent. */
  readonly smtp: SmtpConfig | undefined;
  /** Absent: the demo's simulator answers for Termii; in production nothing is sent to phones. */
  readonly termii: TermiiConfig | undefined;
  /** For crash tests: the process kills itself there. */
  readonly stopAt: StopPoint | undefined;
};

export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(
      `the settings have ${faults.length} fault${faults.length === 1 ? '' : 's'}:\n- ${faults.join('\n- ')}`,
    );
    this.name = 'ConfigError';
    this.faults = faults;
  }
}

/** Throws ConfigError with every fault. */
export function loadConfig(environ: Environ): Config {
  const read = new SettingsReader(environ);
  const profile = read.choice('OJA_PROFILE', ['demo', 'production'], 'demo');
  const databaseUrl = read.url('DATABASE_URL', ['postgres:', 'postgresql:']);
  const encryptionKey = readKey(read);
  if (profile === 'production') {
    read.require('DATABASE_URL', 'a postgresql:// URL');
    read.require('OJA_ENCRYPTION_KEY', '32 random bytes as 64 hex digits or base64');
  }
  const config: Config = {
    profile,
    role: read.choice('OJA_ROLE', ['api', 'worker', 'all'], 'all'),
    host: read.text('HOST', '127.0.0.1'),
    port: read.integer('PORT', 8080, { min: 0, max: 65_535 }),
    metricsPort: read.integer('METRICS_PORT', 9464, { min: 0, max: 65_535 }),
    trustedProxies: read.networks('OJA_TRUSTED_PROXIES'),
    dataDir: read.text('OJA_DATA_DIR', './data'),
    databaseUrl,
    databaseConnections: read.integer('OJA_DATABASE_CONNECTIONS', 12, { min: 4, max: 500 }),
    encryptionKey,
    oldEncryptionKeys: readOldKeys(read),
    logLevel: read.choice(
      'OJA_LOG_LEVEL',
      [...(Object.values(levels.labels) as LevelWithSilent[]), 'silent'],
      'info',
    ),
    rateLimitPerS: read.integer('OJA_RATE_LIMIT_PER_S', 500, { min: 0, max: 1_000_000 }),
    notFoundGraceMs:
      1_000 *
      read.integer('OJA_NOT_FOUND_GRACE_S', profile === 'demo' ? 15 : 1_800, { min: 10, max: 86_400 }),
    orderWaitMs: 1_000 * read.integer('OJA_ORDER_WAIT_S', 10, { min: 0, max: 60 }),
    syncDeadlineMs: 1_000 * read.integer('OJA_SYNC_DEADLINE_S', 60, { min: 1, max: 600 }),
    drainMs: 1_000 * read.integer('OJA_DRAIN_S', 70, { min: 1, max: 3_600 }),
    simulatorUrl: read.url('OJA_SIMULATOR_URL', ['http:', 'https:']),
    simulatorPort: read.integer('OJA_SIMULATOR_PORT', 8090, { min: 0, max: 65_535 }),
    vtpass: readVtpass(read),
    nomba: readNomba(read),
    monnify: readMonnify(read),
    paystack: readPaystack(read),
    fundingProvider: read.optionalChoice('OJA_FUNDING_PROVIDER', ['monnify', 'paystack']),
    fundingSweepMs:
      1_000 * read.integer('OJA_FUNDING_SWEEP_S', profile === 'demo' ? 30 : 300, { min: 1, max: 86_400 }),
    reloadly: readReloadly(read),
    esimaccess: readEsimAccess(read),
    smtp: readSmtp(read),
    termii: readTermii(read),
    stopAt: read.optionalChoice('OJA_STOP_AT', stopPointNames),
  };
  checkFundingProvider(read, config);
  if (read.faults.length > 0) throw new ConfigError(read.faults);
  return config;
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

function readVtpass(read: SettingsReader): VtpassConfig | undefined {
  const names = ['OJA_VTPASS_API_KEY', 'OJA_VTPASS_PUBLIC_KEY', 'OJA_VTPASS_SECRET_KEY'];
  const given = names.filter((name) => read.raw(name) !== undefined);
  const baseUrl = read.url('OJA_VTPASS_BASE_URL', ['http:', 'https:']);
  const contactPhone = read.mobileNumber('OJA_VTPASS_CONTACT_PHONE');
  const connectionsMax = read.integer('OJA_VTPASS_CONNECTIONS', 50, { min: 1, max: 1_000 });
  const deadlineMs = read.integer('OJA_VTPASS_DEADLINE_MS', 50_000, { min: 1_000, max: 110_000 });
  if (given.length === 0 && baseUrl === undefined) return undefined;
  for (const name of names)
    read.require(name, 'a key of your VTpass profile, as the other VTpass settings are given');
  return {
    baseUrl: baseUrl ?? 'https://vtpass.com/api',
    apiKey: read.text('OJA_VTPASS_API_KEY', ''),
    publicKey: read.text('OJA_VTPASS_PUBLIC_KEY', ''),
    secretKey: read.text('OJA_VTPASS_SECRET_KEY', ''),
    contactPhone,
    connectionsMax,
    deadlineMs,
  };
}

function readNomba(read: SettingsReader): NombaConfig | undefined {
  const names = ['OJA_NOMBA_ACCOUNT_ID', 'OJA_NOMBA_CLIENT_ID', 'OJA_NOMBA_CLIENT_SECRET'];
  const given = names.filter((name) => read.raw(name) !== undefined);
  const baseUrl = read.url('OJA_NOMBA_BASE_URL', ['http:', 'https:']);
  const config: NombaConfig = {
    baseUrl: baseUrl ?? 'https://api.nomba.com',
    accountId: read.text('OJA_NOMBA_ACCOUNT_ID', ''),
    subAccountId: read.raw('OJA_NOMBA_SUB_ACCOUNT_ID'),
    clientId: read.text('OJA_NOMBA_CLIENT_ID', ''),
    clientSecret: read.text('OJA_NOMBA_CLIENT_SECRET', ''),
    vendVersion: read.choice('OJA_NOMBA_VEND_VERSION', ['v1', 'v2'], 'v1'),
    payerName: read.text('OJA_NOMBA_PAYER_NAME', 'Oja'),
    signatureKey: read.raw('OJA_NOMBA_SIGNATURE_KEY'),
    purchasesPerSecond: read.integer('OJA_NOMBA_PURCHASES_PER_S', 15, { min: 0, max: 10_000 }),
    connectionsMax: read.integer('OJA_NOMBA_CONNECTIONS', 50, { min: 1, max: 1_000 }),
    deadlineMs: read.integer('OJA_NOMBA_DEADLINE_MS', 50_000, { min: 1_000, max: 110_000 }),
    notFoundGraceMs: 1_000 * read.integer('OJA_NOMBA_NOT_FOUND_GRACE_S', 86_400, { min: 10, max: 604_800 }),
  };
  if (given.length === 0 && baseUrl === undefined) return undefined;
  for (const name of names)
    read.require(name, 'of your Nomba account, as the other Nomba settings are given');
  return config;
}

function readMonnify(read: SettingsReader): MonnifyConfig | undefined {
  const names = ['OJA_MONNIFY_API_KEY', 'OJA_MONNIFY_SECRET_KEY', 'OJA_MONNIFY_CONTRACT_CODE'];
  const given = names.filter((name) => read.raw(name) !== undefined);
  const baseUrl = read.url('OJA_MONNIFY_BASE_URL', ['http:', 'https:']);
  const config: MonnifyConfig = {
    baseUrl: baseUrl ?? 'https://api.monnify.com',
    apiKey: read.text('OJA_MONNIFY_API_KEY', ''),
    secretKey: read.text('OJA_MONNIFY_SECRET_KEY', ''),
    contractCode: read.text('OJA_MONNIFY_CONTRACT_CODE', ''),
    preferredBanks: read.list('OJA_MONNIFY_PREFERRED_BANKS', /^[0-9]{3,6}$/, 'bank codes such as 035'),
    deadlineMs: read.integer('OJA_MONNIFY_DEADLINE_MS', 15_000, { min: 1_000, max: 25_000 }),
  };
  if (given.length === 0 && baseUrl === undefined) return undefined;
  for (const name of names)
    read.require(name, 'of your Monnify account, as the other Monnify settings are given');
  return config;
}

function readPaystack(read: SettingsReader): PaystackConfig | undefined {
  const secretKey = read.raw('OJA_PAYSTACK_SECRET_KEY');
  const baseUrl = read.url('OJA_PAYSTACK_BASE_URL', ['http:', 'https:']);
  const config: PaystackConfig = {
    baseUrl: baseUrl ?? 'https://api.paystack.co',
    secretKey: secretKey ?? '',
    // A test key has a bank of its own.
    preferredBank: read.text(
      'OJA_PAYSTACK_PREFERRED_BANK',
      secretKey?.startsWith('sk_test_') ? 'test-bank' : 'titan-paystack',
    ),
    deadlineMs: read.integer('OJA_PAYSTACK_DEADLINE_MS', 15_000, { min: 1_000, max: 25_000 }),
  };
  if (secretKey === undefined && baseUrl === undefined) return undefined;
  read.require('OJA_PAYSTACK_SECRET_KEY', 'of your Paystack account, as OJA_PAYSTACK_BASE_URL is given');
  return config;
}

/** In the demo the simulator stands in for what is not configured. */
function checkFundingProvider(read: SettingsReader, { profile, fundingProvider, ...config }: Config): void {
  if (profile === 'demo' || fundingProvider === undefined || config[fundingProvider] !== undefined) return;
  read.faults.push(`OJA_FUNDING_PROVIDER is ${fundingProvider}, whose own settings are not given`);
}

function readReloadly(read: SettingsReader): ReloadlyConfig | undefined {
  const names = ['OJA_RELOADLY_CLIENT_ID', 'OJA_RELOADLY_CLIENT_SECRET'];
  const given = names.filter((name) => read.raw(name) !== undefined);
  const baseUrl = read.url('OJA_RELOADLY_BASE_URL', ['http:', 'https:']);
  const config: ReloadlyConfig = {
    baseUrl: baseUrl ?? 'https://giftcards.reloadly.com',
    authUrl: read.url('OJA_RELOADLY_AUTH_URL', ['http:', 'https:']) ?? 'https://auth.reloadly.com',
    clientId: read.text('OJA_RELOADLY_CLIENT_ID', ''),
    clientSecret: read.text('OJA_RELOADLY_CLIENT_SECRET', ''),
    senderName: read.text('OJA_RELOADLY_SENDER_NAME', 'Oja'),
    signingSecret: read.raw('OJA_RELOADLY_SIGNING_SECRET'),
    connectionsMax: read.integer('OJA_RELOADLY_CONNECTIONS', 20, { min: 1, max: 1_000 }),
    deadlineMs: read.integer('OJA_RELOADLY_DEADLINE_MS', 90_000, { min: 1_000, max: 110_000 }),
    notFoundGraceMs:
      1_000 * read.integer('OJA_RELOADLY_NOT_FOUND_GRACE_S', 86_400, { min: 10, max: 604_800 }),
  };
  if (given.length === 0 && baseUrl === undefined) return undefined;
  for (const name of names)
    read.require(name, 'of your Reloadly account, as the other Reloadly settings are given');
  return config;
}

function readEsimAccess(read: SettingsReader): EsimAccessConfig | undefined {
  const names = ['OJA_ESIMACCESS_ACCESS_CODE', 'OJA_ESIMACCESS_SECRET_KEY'];
  const given = names.filter((name) => read.raw(name) !== undefined);
  const baseUrl = read.url('OJA_ESIMACCESS_BASE_URL', ['http:', 'https:']);
  const config: EsimAccessConfig = {
    baseUrl: baseUrl ?? 'https://api.esimaccess.com',
    accessCode: read.text('OJA_ESIMACCESS_ACCESS_CODE', ''),
    secretKey: read.text('OJA_ESIMACCESS_SECRET_KEY', ''),
    callsPerSecond: read.integer('OJA_ESIMACCESS_CALLS_PER_S', 8, { min: 0, max: 1_000 }),
    connectionsMax: read.integer('OJA_ESIMACCESS_CONNECTIONS', 10, { min: 1, max: 1_000 }),
    deadlineMs: read.integer('OJA_ESIMACCESS_DEADLINE_MS', 60_000, { min: 1_000, max: 110_000 }),
    notFoundGraceMs:
      1_000 * read.integer('OJA_ESIMACCESS_NOT_FOUND_GRACE_S', 86_400, { min: 60, max: 604_800 }),
  };
  if (given.length === 0 && baseUrl === undefined) return undefined;
  for (const name of names)
    read.require(name, 'of your eSIM Access account, as the other eSIM Access settings are given');
  return config;
}
