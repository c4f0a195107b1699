/** The settings of eSIM Access, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  integerSetting,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { CommonSettings, ProviderSettings } from '../provider-definition.ts';

/** Concurrent calls: more than the calls a second that eSIM Access allows. */
const CONNECTIONS_MAX = 10;

export const esimAccessSettings = connectorSettings('eSIM Access', {
  baseUrl: baseUrlSetting('OJA_ESIMACCESS_BASE_URL', 'https://api.esimaccess.com'),
  accessCode: requiredSetting('OJA_ESIMACCESS_ACCESS_CODE'),
  secretKey: requiredSetting('OJA_ESIMACCESS_SECRET_KEY'),
  /** The limit of the whole installation; eSIM Access allows 8. 0 sets no limit. */
  callsPerSecond: integerSetting('OJA_ESIMACCESS_CALLS_PER_S', 8, { min: 0, max: 1_000 }),
  deadlineMs: scaledMs(60_000),
  // A day, because eSIM Access documents no time.
  notFoundGraceMs: scaledMs(86_400_000),
});

export type EsimAccessSettings = ProviderSettings<typeof esimAccessSettings>;

export function readEsimAccess(read: SettingsReader): EsimAccessSettings | undefined {
  const settings = esimAccessSettings.read(read);
  return settings && { ...settings, connectionsMax: CONNECTIONS_MAX };
}

/** Returns the settings of the demo. Their keys protect nothing. */
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
