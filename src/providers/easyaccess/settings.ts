/** The settings of an account at EasyAccess. */
import {
  baseUrlSetting,
  connectorSettings,
  integerSetting,
  requiredSetting,
} from '../../core/connector-settings.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { UpstreamSettings } from '../http/call.ts';
import type { CommonSettings } from '../provider-definition.ts';

/** `baseUrl` is what its two APIs have in common, as in `https://easyaccessapi.com.ng/api`. */
export type EasyAccessSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly token: string;
  readonly notFoundGraceMs: number;
};

/** How long the connector waits for a reply: less than the sync deadline of 60 s. */
const DEADLINE_MS = 50_000;

export const easyAccessSettings = connectorSettings('EasyAccess', {
  baseUrl: baseUrlSetting('OJA_EASYACCESS_BASE_URL', 'https://easyaccessapi.com.ng/api'),
  token: requiredSetting('OJA_EASYACCESS_TOKEN'),
  connectionsMax: integerSetting('OJA_EASYACCESS_CONNECTIONS', 20, { min: 1, max: 1_000 }),
});

export function readEasyAccess(
  read: SettingsReader,
  { notFoundGraceMs }: CommonSettings,
): EasyAccessSettings | undefined {
  const settings = easyAccessSettings.read(read);
  return settings && { ...settings, deadlineMs: DEADLINE_MS * read.timeScale, notFoundGraceMs };
}
