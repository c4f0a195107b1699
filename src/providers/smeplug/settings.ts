/** The settings of the operator's account at SMEPlug. */
import {
  baseUrlSetting,
  connectorSettings,
  integerSetting,
  requiredSetting,
} from '../../core/connector-settings.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { UpstreamSettings } from '../http/call.ts';
import type { CommonSettings } from '../provider-definition.ts';

/** `baseUrl` includes the version, as in `https://smeplug.ng/api/v1`. */
export type SmeplugSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly secretKey: string;
  readonly notFoundGraceMs: number;
};

/** How long the connector waits for a reply: less than the sync deadline of 60 s. */
const DEADLINE_MS = 50_000;

export const smeplugSettings = connectorSettings('SMEPlug', {
  baseUrl: baseUrlSetting('OJA_SMEPLUG_BASE_URL', 'https://smeplug.ng/api/v1'),
  secretKey: requiredSetting('OJA_SMEPLUG_SECRET_KEY'),
  connectionsMax: integerSetting('OJA_SMEPLUG_CONNECTIONS', 20, { min: 1, max: 1_000 }),
});

export function readSmeplug(
  read: SettingsReader,
  { notFoundGraceMs }: CommonSettings,
): SmeplugSettings | undefined {
  const settings = smeplugSettings.read(read);
  return settings && { ...settings, deadlineMs: DEADLINE_MS * read.timeScale, notFoundGraceMs };
}
