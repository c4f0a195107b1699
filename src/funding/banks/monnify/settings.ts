/** The settings of Monnify, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  type ReadSettings,
  requiredSetting,
  scaledMs,
  setting,
} from '../../../core/connector-settings.ts';

const monnifySettings = connectorSettings('Monnify', {
  baseUrl: baseUrlSetting('OJA_MONNIFY_BASE_URL', 'https://api.monnify.com'),
  apiKey: requiredSetting('OJA_MONNIFY_API_KEY'),
  secretKey: requiredSetting('OJA_MONNIFY_SECRET_KEY'),
  contractCode: requiredSetting('OJA_MONNIFY_CONTRACT_CODE', 'account'),
  /** Bank codes; empty: every bank that Monnify has. */
  preferredBanks: setting('OJA_MONNIFY_PREFERRED_BANKS', 'plain', (read, name) =>
    read.list(name, /^[0-9]{3,6}$/, 'bank codes such as 035'),
  ),
  deadlineMs: scaledMs(15_000),
});

export type MonnifySettings = ReadSettings<typeof monnifySettings>;

export const readMonnify = monnifySettings.read;

/** Returns the settings of the demo. Their keys protect nothing. */
export function simulatedMonnify(simulatorUrl: string): MonnifySettings {
  return {
    baseUrl: `${simulatorUrl}/monnify`,
    apiKey: 'MK_TEST_SIMULATOR',
    secretKey: 'simulator-monnify-secret',
    contractCode: '1000000001',
    preferredBanks: [],
    deadlineMs: 15_000,
  };
}
