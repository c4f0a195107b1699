/** The settings of Acme: of the operator's own account. */
import {
  baseUrlSetting,
  connectorSettings,
  requiredSetting,
} from '../../../../src/core/connector-settings.ts';
import type { SettingsReader } from '../../../../src/core/settings-reader.ts';
import type { CommonSettings } from '../../../../src/providers/provider-definition.ts';

export type AcmeSettings = {
  readonly baseUrl: string;
  readonly key: string;
  readonly notFoundGraceMs: number;
};

export const acmeSettings = connectorSettings('Acme', {
  baseUrl: baseUrlSetting('OJA_ACME_URL', 'https://acme.example'),
  key: requiredSetting('OJA_ACME_KEY'),
});

/** Undefined where no setting is given: the provider is not used. */
export function readAcme(
  read: SettingsReader,
  { notFoundGraceMs }: CommonSettings,
): AcmeSettings | undefined {
  const settings = acmeSettings.read(read);
  return settings && { ...settings, notFoundGraceMs };
}
