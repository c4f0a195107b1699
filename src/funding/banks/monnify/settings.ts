/** The settings of Monnify, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  requiredSetting,
  setting,
} from '../../../core/connector-settings.ts';
import type { SettingsReader } from '../../../core/settings-reader.ts';

export type MonnifySettings = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly contractCode: string;
  /** Bank codes; empty: every bank that Monnify has. */
  readonly preferredBanks: readonly string[];
  readonly deadlineMs: number;
};

/** How long the connector waits for a reply. */
const DEADLINE_MS = 15_000;

const monnifySettings = connectorSettings('Monnify', {
  baseUrl: baseUrlSetting('OJA_MONNIFY_BASE_URL', 'https://api.monnify.com'),
  apiKey: requiredSetting('OJA_MONNIFY_API_KEY'),
  secretKey: requiredSetting('OJA_MONNIFY_SECRET_KEY'),
  contractCode: requiredSetting('OJA_MONNIFY_CONTRACT_CODE', 'account'),
  preferredBanks: setting('OJA_MONNIFY_PREFERRED_BANKS', 'plain', (read, name) =>
    read.list(name, /^[0-9]{3,6}$/, 'bank codes such as 035'),
  ),
});

export function readMonnify(read: SettingsReader): MonnifySettings | undefined {
  const settings = monnifySettings.read(read);
  return settings && { ...settings, deadlineMs: DEADLINE_MS * read.timeScale };
}

/** Returns the settings of the demo. Their keys protect nothing. */
export function simulatedMonnify(simulatorUrl: string): MonnifySettings {
  return {
    baseUrl: `${simulatorUrl}/monnify`,
    apiKey: 'MK_TEST_SIMULATOR',
    secretKey: 'simulator-monnify-secret',
    contractCode: '1000000001',
    preferredBanks: [],
    deadlineMs: DEADLINE_MS,
  };
}
