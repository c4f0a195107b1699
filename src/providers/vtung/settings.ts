/** The settings of an account at VTU.ng or eBills.africa. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  optionalSetting,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { CommonSettings, ProviderSettings } from '../provider-definition.ts';

export const vtungSettings = connectorSettings('VTU.ng', {
  /** It has no version. */
  baseUrl: baseUrlSetting('OJA_VTUNG_BASE_URL', 'https://vtu.ng/wp-json'),
  username: requiredSetting('OJA_VTUNG_USERNAME', 'account'),
  password: requiredSetting('OJA_VTUNG_PASSWORD'),
  /** The transaction PIN, which signs webhooks. Absent: webhooks are not accepted. */
  pin: optionalSetting('OJA_VTUNG_PIN', 'secret'),
  connectionsMax: limit(20),
  deadlineMs: scaledMs(50_000),
  // VTU.ng refuses an order like another one for so long, and shows no order before.
  refusalGraceMs: scaledMs(180_000),
});

export type VtungSettings = ProviderSettings<typeof vtungSettings>;

export function readVtung(
  read: SettingsReader,
  { notFoundGraceMs }: Pick<CommonSettings, 'notFoundGraceMs'>,
): VtungSettings | undefined {
  const settings = vtungSettings.read(read);
  return (
    settings && {
      ...settings,
      notFoundGraceMs: Math.max(notFoundGraceMs, settings.refusalGraceMs),
    }
  );
}
