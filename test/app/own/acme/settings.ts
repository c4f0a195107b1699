/** The settings of the operator's account at Acme. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  requiredSetting,
  scaledMs,
} from '../../../../src/core/connector-settings.ts';
import { type ProviderSettings, withCommon } from '../../../../src/providers/provider-definition.ts';

export const acmeSettings = connectorSettings('Acme', {
  baseUrl: baseUrlSetting('OJA_ACME_URL', 'https://acme.example'),
  key: requiredSetting('OJA_ACME_KEY'),
  connectionsMax: limit(4),
  deadlineMs: scaledMs(30_000),
});

export type AcmeSettings = ProviderSettings<typeof acmeSettings>;

/** Reads the settings. Undefined when none is set, and the provider is then not used. */
export const readAcme = withCommon(acmeSettings, 'notFoundGraceMs');
