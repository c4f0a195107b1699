/**
 * The settings of VTpass: of the operator's own account, and of the account at the demo's
 * simulator.
 */
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { UpstreamSettings } from '../http/call.ts';
import type { CommonSettings, SettingKinds } from '../provider-definition.ts';

/** `baseUrl` comes with its path, as in `https://vtpass.com/api`. */
export type VtpassSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly apiKey: string;
  /** For calls that read. */
  readonly publicKey: string;
  /** For calls that buy and requery. */
  readonly secretKey: string;
  /** Sent with a bill whose customer gave no mobile number; without it such a bill is not sent. */
  readonly contactPhone?: string | undefined;
  readonly notFoundGraceMs: number;
  readonly now?: () => Date;
};

/** How long an answer is waited for: below the synchronous deadline of 60 s. */
const DEADLINE_MS = 50_000;

const keys = ['OJA_VTPASS_API_KEY', 'OJA_VTPASS_PUBLIC_KEY', 'OJA_VTPASS_SECRET_KEY'];

export const vtpassSettings: SettingKinds = {
  OJA_VTPASS_BASE_URL: 'account',
  OJA_VTPASS_API_KEY: 'secret',
  OJA_VTPASS_PUBLIC_KEY: 'secret',
  OJA_VTPASS_SECRET_KEY: 'secret',
  OJA_VTPASS_CONTACT_PHONE: 'plain',
  OJA_VTPASS_CONNECTIONS: 'plain',
};

export function readVtpass(
  read: SettingsReader,
  { notFoundGraceMs }: CommonSettings,
): VtpassSettings | undefined {
  const baseUrl = read.upstream('OJA_VTPASS_BASE_URL');
  const settings: VtpassSettings = {
    baseUrl: baseUrl ?? 'https://vtpass.com/api',
    apiKey: read.text('OJA_VTPASS_API_KEY', ''),
    publicKey: read.text('OJA_VTPASS_PUBLIC_KEY', ''),
    secretKey: read.text('OJA_VTPASS_SECRET_KEY', ''),
    contactPhone: read.mobileNumber('OJA_VTPASS_CONTACT_PHONE'),
    connectionsMax: read.integer('OJA_VTPASS_CONNECTIONS', 50, { min: 1, max: 1_000 }),
    deadlineMs: DEADLINE_MS * read.timeScale,
    notFoundGraceMs,
  };
  const what = 'a key of your VTpass profile, as the other VTpass settings are given';
  return read.account(keys, what, baseUrl !== undefined) ? settings : undefined;
}

/** For the demo. These keys protect nothing. */
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
