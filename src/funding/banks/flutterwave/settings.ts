/** The settings of Flutterwave's accounts, for the operator and for the demo's simulator. */
import {
  baseUrlSetting,
  type ConnectorSettings,
  connectorSettings,
  requiredSetting,
  scaledMs,
} from '../../../core/connector-settings.ts';

export type FlutterwaveSettings = {
  readonly baseUrl: string;
  readonly secretKey: string;
  /** The secret hash of webhooks, chosen on Flutterwave's dashboard. */
  readonly secretHash: string;
  readonly deadlineMs: number;
};

const flutterwaveSettings: ConnectorSettings<FlutterwaveSettings> = connectorSettings('Flutterwave', {
  baseUrl: baseUrlSetting('OJA_FLUTTERWAVE_BASE_URL', 'https://api.flutterwave.com/v3'),
  secretKey: requiredSetting('OJA_FLUTTERWAVE_SECRET_KEY'),
  secretHash: requiredSetting('OJA_FLUTTERWAVE_SECRET_HASH'),
  deadlineMs: scaledMs(15_000),
});

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
