/** The settings of Flutterwave's accounts, for the operator and for the demo's simulator. */
import { baseUrlSetting, connectorSettings, requiredSetting } from '../../../core/connector-settings.ts';
import type { SettingsReader } from '../../../core/settings-reader.ts';

export type FlutterwaveSettings = {
  readonly baseUrl: string;
  readonly secretKey: string;
  /** The secret hash of webhooks, chosen on Flutterwave's dashboard. */
  readonly secretHash: string;
  readonly deadlineMs: number;
};

/** How long the connector waits for a reply. */
const DEADLINE_MS = 15_000;

const flutterwaveSettings = connectorSettings('Flutterwave', {
  baseUrl: baseUrlSetting('OJA_FLUTTERWAVE_BASE_URL', 'https://api.flutterwave.com/v3'),
  secretKey: requiredSetting('OJA_FLUTTERWAVE_SECRET_KEY'),
  secretHash: requiredSetting('OJA_FLUTTERWAVE_SECRET_HASH'),
});

export function readFlutterwave(read: SettingsReader): FlutterwaveSettings | undefined {
  const settings = flutterwaveSettings.read(read);
  return settings && { ...settings, deadlineMs: DEADLINE_MS * read.timeScale };
}

/** Returns the settings of the demo. Their keys protect nothing. */
export function simulatedFlutterwave(simulatorUrl: string): FlutterwaveSettings {
  return {
    baseUrl: `${simulatorUrl}/flutterwave/v3`,
    secretKey: 'FLWSECK_TEST-simulator',
    secretHash: 'simulator-secret-hash',
    deadlineMs: DEADLINE_MS,
  };
}
