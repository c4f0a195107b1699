/** The settings of Flutterwave's accounts, for the operator and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  type ReadSettings,
  requiredSetting,
  scaledMs,
} from '../../../core/connector-settings.ts';

const flutterwaveSettings = connectorSettings('Flutterwave', {
  baseUrl: baseUrlSetting('OJA_FLUTTERWAVE_BASE_URL', 'https://api.flutterwave.com/v3'),
  secretKey: requiredSetting('OJA_FLUTTERWAVE_SECRET_KEY'),
  /** The secret hash of webhooks, chosen on Flutterwave's dashboard. */
  secretHash: requiredSetting('OJA_FLUTTERWAVE_SECRET_HASH'),
  deadlineMs: scaledMs(15_000),
});

export type FlutterwaveSettings = ReadSettings<typeof flutterwaveSettings>;

export const readFlutterwave = flutterwaveSettings.read;

/** Returns the settings of the demo. Their keys protect nothing. */
export function simulatedFlutterwave(simulatorUrl: string): FlutterwaveSettings {
  return {
    baseUrl: `${simulatorUrl}/flutterwave/v3`,
    secretKey: 'FLWSECK_TEST-simulator',
    secretHash: 'simulator-secret-hash',
    deadlineMs: 15_000,
  };
}
