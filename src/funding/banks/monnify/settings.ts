/**
 * The settings of Monnify: of the operator's own account, and of the account at the demo's
 * simulator.
 */
import type { SettingsReader } from '../../../core/settings-reader.ts';

export type MonnifySettings = {
  readonly baseUrl: string;
  readonly apiKey: string;
  readonly secretKey: string;
  readonly contractCode: string;
  /** Bank codes; empty: every bank Monnify has. */
  readonly preferredBanks: readonly string[];
  readonly deadlineMs: number;
};

/** The longest that a call may take. */
const DEADLINE_MS = 15_000;

const account = ['OJA_MONNIFY_API_KEY', 'OJA_MONNIFY_SECRET_KEY', 'OJA_MONNIFY_CONTRACT_CODE'];

export function readMonnify(read: SettingsReader): MonnifySettings | undefined {
  const baseUrl = read.upstream('OJA_MONNIFY_BASE_URL');
  const settings: MonnifySettings = {
    baseUrl: baseUrl ?? 'https://api.monnify.com',
    apiKey: read.text('OJA_MONNIFY_API_KEY', ''),
    secretKey: read.text('OJA_MONNIFY_SECRET_KEY', ''),
    contractCode: read.text('OJA_MONNIFY_CONTRACT_CODE', ''),
    preferredBanks: read.list('OJA_MONNIFY_PREFERRED_BANKS', /^[0-9]{3,6}$/, 'bank codes such as 035'),
    deadlineMs: DEADLINE_MS * read.timeScale,
  };
  const what = 'of your Monnify account, as the other Monnify settings are given';
  return read.account(account, what, baseUrl !== undefined) ? settings : undefined;
}

/** The keys protect nothing. */
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
