/**
 * The settings of Nomba: of the operator's own account, and of the account at the demo's simulator.
 */
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { UpstreamSettings } from '../http/call.ts';
import type { CommonSettings, SettingKinds } from '../provider-definition.ts';

/** `baseUrl` comes without a version, as in `https://api.nomba.com`. */
export type NombaSettings = Omit<UpstreamSettings, 'provider'> & {
  /** The parent account, in every call. */
  readonly accountId: string;
  /** Pays instead of the parent account. */
  readonly subAccountId?: string | undefined;
  readonly clientId: string;
  readonly clientSecret: string;
  /**
   * The version in the path of the calls that buy. `v2` is unverified: that Nomba moves these calls
   * there, with other fields for some products, is known from other people's reports only.
   */
  readonly vendVersion: 'v1' | 'v2';
  /** Who pays, as Nomba and the billers see it. */
  readonly payerName: string;
  /** Absent: Nomba's webhooks are not taken. */
  readonly signatureKey?: string | undefined;
  /** Of the whole installation; Nomba allows 15. 0 sets no limit. */
  readonly purchasesPerSecond: number;
  readonly notFoundGraceMs: number;
  /**
   * How old a refusal is that "never heard of it" confirms. Absent, or 0: as soon as one look-up
   * has not found the order.
   */
  readonly refusalGraceMs?: number;
  readonly now?: () => Date;
};

/** How long an answer is waited for: below the synchronous deadline of 60 s. */
const DEADLINE_MS = 50_000;
/** How long "not found" is not believed: a day, because the provider names no time. */
const NOT_FOUND_GRACE_MS = 86_400_000;
/** How old a refusal is that "not found" confirms. */
const REFUSAL_GRACE_MS = 30_000;

const account = ['OJA_NOMBA_ACCOUNT_ID', 'OJA_NOMBA_CLIENT_ID', 'OJA_NOMBA_CLIENT_SECRET'];

export const nombaSettings: SettingKinds = {
  OJA_NOMBA_BASE_URL: 'account',
  OJA_NOMBA_ACCOUNT_ID: 'account',
  OJA_NOMBA_SUB_ACCOUNT_ID: 'account',
  OJA_NOMBA_CLIENT_ID: 'secret',
  OJA_NOMBA_CLIENT_SECRET: 'secret',
  OJA_NOMBA_SIGNATURE_KEY: 'secret',
  OJA_NOMBA_VEND_VERSION: 'plain',
  OJA_NOMBA_PAYER_NAME: 'plain',
  OJA_NOMBA_PURCHASES_PER_S: 'plain',
  OJA_NOMBA_CONNECTIONS: 'plain',
};

export function readNomba(read: SettingsReader): NombaSettings | undefined {
  const baseUrl = read.upstream('OJA_NOMBA_BASE_URL');
  const settings: NombaSettings = {
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
    deadlineMs: DEADLINE_MS * read.timeScale,
    notFoundGraceMs: NOT_FOUND_GRACE_MS * read.timeScale,
    refusalGraceMs: REFUSAL_GRACE_MS * read.timeScale,
  };
  const what = 'of your Nomba account, as the other Nomba settings are given';
  return read.account(account, what, baseUrl !== undefined) ? settings : undefined;
}

/** A refusal of the demo is told by the first query. */
const SIMULATED_REFUSAL_GRACE_MS = 3_000;

/** For the demo. These keys protect nothing. */
export function simulatedNomba(
  simulatorUrl: string,
  { notFoundGraceMs, timeScale }: CommonSettings,
): NombaSettings {
  return {
    baseUrl: `${simulatorUrl}/nomba`,
    accountId: '00000000-0000-4000-8000-00000000a001',
    subAccountId: undefined,
    clientId: '00000000-0000-4000-8000-00000000c001',
    clientSecret: 'simulator-client-secret-0123456789abcdefghij',
    vendVersion: 'v1',
    payerName: 'Oja',
    signatureKey: 'simulator-signature-key',
    purchasesPerSecond: 0,
    connectionsMax: 50,
    deadlineMs: 50_000,
    notFoundGraceMs,
    refusalGraceMs: timeScale * SIMULATED_REFUSAL_GRACE_MS,
  };
}
