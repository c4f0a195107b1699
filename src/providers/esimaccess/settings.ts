/**
 * The settings of eSIM Access: of the operator's own account, and of the account at the demo's
 * simulator.
 */
import type { SettingsReader } from '../../kernel/settings-reader.ts';
import type { UpstreamSettings } from '../../upstream/call.ts';
import type { CommonSettings, SettingKinds } from '../provider-definition.ts';

export type EsimAccessSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly accessCode: string;
  readonly secretKey: string;
  /** Of the whole installation; eSIM Access takes 8. 0 sets no limit. */
  readonly callsPerSecond: number;
  readonly notFoundGraceMs: number;
};

const account = ['OJA_ESIMACCESS_ACCESS_CODE', 'OJA_ESIMACCESS_SECRET_KEY'];

export const esimAccessSettings: SettingKinds = {
  OJA_ESIMACCESS_BASE_URL: 'account',
  OJA_ESIMACCESS_ACCESS_CODE: 'secret',
  OJA_ESIMACCESS_SECRET_KEY: 'secret',
  OJA_ESIMACCESS_CALLS_PER_S: 'plain',
  OJA_ESIMACCESS_CONNECTIONS: 'plain',
  OJA_ESIMACCESS_DEADLINE_MS: 'plain',
  OJA_ESIMACCESS_NOT_FOUND_GRACE_S: 'plain',
};

export function readEsimAccess(read: SettingsReader): EsimAccessSettings | undefined {
  const baseUrl = read.upstream('OJA_ESIMACCESS_BASE_URL');
  const settings: EsimAccessSettings = {
    baseUrl: baseUrl ?? 'https://api.esimaccess.com',
    accessCode: read.text('OJA_ESIMACCESS_ACCESS_CODE', ''),
    secretKey: read.text('OJA_ESIMACCESS_SECRET_KEY', ''),
    callsPerSecond: read.integer('OJA_ESIMACCESS_CALLS_PER_S', 8, { min: 0, max: 1_000 }),
    connectionsMax: read.integer('OJA_ESIMACCESS_CONNECTIONS', 10, { min: 1, max: 1_000 }),
    deadlineMs: read.durationMs('OJA_ESIMACCESS_DEADLINE_MS', 60_000, { min: 1_000, max: 110_000 }),
    notFoundGraceMs: read.durationMs('OJA_ESIMACCESS_NOT_FOUND_GRACE_S', 86_400, { min: 60, max: 604_800 }),
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
