/** The settings of the operator's account at ClubKonnect. */
import {
  baseUrlSetting,
  connectorSettings,
  integerSetting,
  requiredSetting,
  setting,
} from '../../core/connector-settings.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { UpstreamSettings } from '../http/call.ts';
import type { CommonSettings } from '../provider-definition.ts';

export type ClubkonnectSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly userId: string;
  readonly apiKey: string;
  /** Sent with a bill whose customer gave no mobile number. Without it, such a bill is refused. */
  readonly contactPhone?: string | undefined;
  /** Sent as `CallBackURL`. Absent: the field is not sent. Its calls are not read. */
  readonly callback?: string | undefined;
  readonly notFoundGraceMs: number;
};

/** How long the connector waits for a reply: less than the sync deadline of 60 s. */
const DEADLINE_MS = 50_000;

export const clubkonnectSettings = connectorSettings('ClubKonnect', {
  baseUrl: baseUrlSetting('OJA_CLUBKONNECT_BASE_URL', 'https://www.nellobytesystems.com'),
  userId: requiredSetting('OJA_CLUBKONNECT_USER_ID', 'account'),
  apiKey: requiredSetting('OJA_CLUBKONNECT_API_KEY'),
  contactPhone: setting('OJA_CLUBKONNECT_CONTACT_PHONE', 'plain', (read, name) => read.mobileNumber(name)),
  callback: setting('OJA_CLUBKONNECT_CALLBACK', 'plain', (read, name) => read.upstream(name)),
  connectionsMax: integerSetting('OJA_CLUBKONNECT_CONNECTIONS', 20, { min: 1, max: 1_000 }),
});

export function readClubkonnect(
  read: SettingsReader,
  { notFoundGraceMs }: CommonSettings,
): ClubkonnectSettings | undefined {
  const settings = clubkonnectSettings.read(read);
  return settings && { ...settings, deadlineMs: DEADLINE_MS * read.timeScale, notFoundGraceMs };
}
