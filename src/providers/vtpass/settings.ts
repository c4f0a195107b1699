/** The settings of VTpass, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import { type CommonSettings, type ProviderSettings, withCommon } from '../provider-definition.ts';

export const vtpassSettings = connectorSettings('VTpass', {
  baseUrl: baseUrlSetting('OJA_VTPASS_BASE_URL', 'https://vtpass.com/api'),
  apiKey: requiredSetting('OJA_VTPASS_API_KEY'),
  /** The key of calls that read. */
  publicKey: requiredSetting('OJA_VTPASS_PUBLIC_KEY'),
  /** The key of calls that buy and requery. */
  secretKey: requiredSetting('OJA_VTPASS_SECRET_KEY'),
  connectionsMax: limit(50),
  deadlineMs: scaledMs(50_000),
});

export type VtpassSettings = ProviderSettings<typeof vtpassSettings, 'contactPhone'>;

export const readVtpass = withCommon(vtpassSettings, 'notFoundGraceMs', 'contactPhone');

/** Returns the settings of the demo. Their keys protect nothing. */
export function simulatedVtpass(simulatorUrl: string, { notFoundGraceMs }: CommonSettings): VtpassSettings {
  return {
    baseUrl: `${simulatorUrl}/vtpass/api`,
    apiKey: 'simulator-api-key',
    publicKey: 'PK_simulator',
    secretKey: 'SK_simulator',
    contactPhone: '08030000000',
    connectionsMax: 50,
    deadlineMs: 50_000,
    notFoundGraceMs,
  };
}
