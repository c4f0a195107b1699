/** The settings of eSIM Access, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import type { CommonSettings, ProviderSettings } from '../provider-definition.ts';

export const esimAccessSettings = connectorSettings('eSIM Access', {
  baseUrl: baseUrlSetting('OJA_ESIMACCESS_BASE_URL', 'https://api.esimaccess.com'),
  accessCode: requiredSetting('OJA_ESIMACCESS_ACCESS_CODE'),
  secretKey: requiredSetting('OJA_ESIMACCESS_SECRET_KEY'),
  connectionsMax: limit(10),
  /** All calls; eSIM Access allows 8. */
  perSecond: limit(8),
  deadlineMs: scaledMs(60_000),
  // A day, because eSIM Access documents no time.
  notFoundGraceMs: scaledMs(86_400_000),
});

export type EsimAccessSettings = ProviderSettings<typeof esimAccessSettings>;

export const readEsimAccess = esimAccessSettings.read;

/** Returns the settings of the demo. Their keys protect nothing. */
export function simulatedEsimAccess(
  simulatorUrl: string,
  { notFoundGraceMs }: CommonSettings,
): EsimAccessSettings {
  return {
    baseUrl: `${simulatorUrl}/esimaccess`,
    accessCode: 'simulator-access-code',
    secretKey: 'simulator-esimaccess-secret-0123456789abcdefghij',
    connectionsMax: 20,
    perSecond: 0,
    deadlineMs: 50_000,
    notFoundGraceMs,
  };
}
