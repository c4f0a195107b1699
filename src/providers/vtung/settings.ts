/** The settings of an account at VTU.ng or eBills.africa. */
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

/** `baseUrl` has no version, as in `https://vtu.ng/wp-json`. */
export type VtungSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly username: string;
  readonly password: string;
  /** The transaction PIN, which signs webhooks. Absent: webhooks are not accepted. */
  readonly pin?: string | undefined;
  readonly notFoundGraceMs: number;
  /** The age from which "not found" confirms a refusal for being like another order. */
  readonly refusalGraceMs: number;
  readonly now?: () => Date;
};

/** How long the connector waits for a reply: less than the sync deadline of 60 s. */
const DEADLINE_MS = 50_000;
/** How long VTU.ng refuses an order like another one. */
const REFUSAL_GRACE_MS = 180_000;

export const vtungSettings = connectorSettings('VTU.ng', {
  baseUrl: baseUrlSetting('OJA_VTUNG_BASE_URL', 'https://vtu.ng/wp-json'),
  username: requiredSetting('OJA_VTUNG_USERNAME', 'account'),
  password: requiredSetting('OJA_VTUNG_PASSWORD'),
  pin: optionalSetting('OJA_VTUNG_PIN', 'secret'),
  connectionsMax: integerSetting('OJA_VTUNG_CONNECTIONS', 20, { min: 1, max: 1_000 }),
});

export function readVtung(
  read: SettingsReader,
  { notFoundGraceMs }: CommonSettings,
): VtungSettings | undefined {
  const settings = vtungSettings.read(read);
  return (
    settings && {
      ...settings,
      deadlineMs: DEADLINE_MS * read.timeScale,
      // An order may not be visible for three minutes.
      notFoundGraceMs: Math.max(notFoundGraceMs, REFUSAL_GRACE_MS * read.timeScale),
      refusalGraceMs: REFUSAL_GRACE_MS * read.timeScale,
    }
  );
}
