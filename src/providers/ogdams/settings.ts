/** The settings of an account at OGDAMS SIM hosting. */
import {
  baseUrlSetting,
  connectorSettings,
  integerSetting,
  optionalSetting,
  requiredSetting,
} from '../../core/connector-settings.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { UpstreamSettings } from '../http/call.ts';
import type { CommonSettings } from '../provider-definition.ts';

export type OgdamsSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly secretKey: string;
  /** The field of the answer to `get/balances` with the balance that purchases are paid from. */
  readonly balanceField?: string | undefined;
  readonly notFoundGraceMs: number;
};

/** How long the connector waits for a reply: less than the sync deadline of 60 s. */
const DEADLINE_MS = 50_000;

export const ogdamsSettings = connectorSettings('OGDAMS', {
  baseUrl: baseUrlSetting('OJA_OGDAMS_BASE_URL', 'https://simhosting.ogdams.ng'),
  secretKey: requiredSetting('OJA_OGDAMS_SECRET_KEY'),
  balanceField: optionalSetting('OJA_OGDAMS_BALANCE_FIELD', 'plain'),
  connectionsMax: integerSetting('OJA_OGDAMS_CONNECTIONS', 20, { min: 1, max: 1_000 }),
});

export function readOgdams(
  read: SettingsReader,
  { notFoundGraceMs }: CommonSettings,
): OgdamsSettings | undefined {
  const settings = ogdamsSettings.read(read);
  return settings && { ...settings, deadlineMs: DEADLINE_MS * read.timeScale, notFoundGraceMs };
}
