/** The settings of VTpass, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  integerSetting,
  requiredSetting,
  scaledMs,
  setting,
} from '../../core/connector-settings.ts';
import type { UpstreamSettings } from '../http/call.ts';
import { type CommonSettings, withCommonGrace } from '../provider-definition.ts';

/** `baseUrl` includes the path, as in `https://vtpass.com/api`. */
export type VtpassSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly apiKey: string;
  /** The key of calls that read. */
  readonly publicKey: string;
  /** The key of calls that buy and requery. */
  readonly secretKey: string;
  /** Sent with a bill whose customer gave no mobile number. Without it, such a bill is refused. */
  readonly contactPhone?: string | undefined;
  readonly notFoundGraceMs: number;
  readonly now?: () => Date;
};

export const vtpassSettings = connectorSettings('VTpass', {
  baseUrl: baseUrlSetting('OJA_VTPASS_BASE_URL', 'https://vtpass.com/api'),
  apiKey: requiredSetting('OJA_VTPASS_API_KEY'),
  publicKey: requiredSetting('OJA_VTPASS_PUBLIC_KEY'),
  secretKey: requiredSetting('OJA_VTPASS_SECRET_KEY'),
  contactPhone: setting('OJA_VTPASS_CONTACT_PHONE', 'plain', (read, name) => read.mobileNumber(name)),
  connectionsMax: integerSetting('OJA_VTPASS_CONNECTIONS', 50, { min: 1, max: 1_000 }),
  deadlineMs: scaledMs(50_000),
});

export const readVtpass = withCommonGrace<VtpassSettings>(vtpassSettings);

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
