/**
 * The settings of eSIM Access: of the operator's own account, and of the account at the demo's
 * simulator.
 */
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { UpstreamSettings } from '../http/call.ts';
import type { CommonSettings, SettingKinds } from '../provider-definition.ts';

export type EsimAccessSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly accessCode: string;
  readonly secretKey: string;
  /** Of the whole installation; eSIM Access takes 8. 0 sets no limit. */
  readonly callsPerSecond: number;
  readonly notFoundGraceMs: number;
};

/** Calls at once: more than the calls a second that eSIM Access takes. */
const CONNECTIONS_MAX = 10;
/** How long an answer is waited for. */
const DEADLINE_MS = 60_000;
/** How long "not found" is not believed: a day, because the provider names no time. */
const NOT_FOUND_GRACE_MS = 86_400_000;

const account = ['OJA_ESIMACCESS_ACCESS_CODE', 'OJA_ESIMACCESS_SECRET_KEY'];

export const esimAccessSettings: SettingKinds = {
  OJA_ESIMACCESS_BASE_URL: 'account',
  OJA_ESIMACCESS_ACCESS_CODE: 'secret',
  OJA_ESIMACCESS_SECRET_KEY: 'secret',
  OJA_ESIMACCESS_CALLS_PER_S: 'plain',
};

export function readEsimAccess(read: SettingsReader): EsimAccessSettings | undefined {
  const baseUrl = read.upstream('OJA_ESIMACCESS_BASE_URL');
  const settings: EsimAccessSettings = {
    baseUrl: baseUrl ?? 'https://api.esimaccess.com',
    accessCode: read.text('OJA_ESIMACCESS_ACCESS_CODE', ''),
    secretKey: read.text('OJA_ESIMACCESS_SECRET_KEY', ''),
    callsPerSecond: read.integer('OJA_ESIMACCESS_CALLS_PER_S', 8, { min: 0, max: 1_000 }),
    connectionsMax: CONNECTIONS_MAX,
    deadlineMs: DEADLINE_MS * read.timeScale,
    notFoundGraceMs: NOT_FOUND_GRACE_MS * read.timeScale,
  };
  const what = 'of your eSIM Access account, as the other eSIM Access settings are given';
  return read.account(account, what, baseUrl !== undefined) ? settings : undefined;
}

/** For the demo. These keys protect nothing. */
export function simulatedEsimAccess(
  simulatorUrl: string,
  { notFoundGraceMs }: CommonSettings,
): EsimAccessSettings {
  return {
    baseUrl: `${simulatorUrl}/esimaccess`,
    accessCode: 'simulator-access-code',
    secretKey: 'simulator-esimaccess-secret-0123456789abcdefghij',
    callsPerSecond: 0,
    connectionsMax: 20,
    deadlineMs: 50_000,
    notFoundGraceMs,
  };
}
