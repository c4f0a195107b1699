/** The settings of the operator's account at Acme. */
import {
  baseUrlSetting,
  connectorSettings,
  requiredSetting,
} from '../../../../src/core/connector-settings.ts';
import { withCommon } from '../../../../src/providers/provider-definition.ts';

export type AcmeSettings = {
  readonly baseUrl: string;
  readonly key: string;
  readonly notFoundGraceMs: number;
};

export const acmeSettings = connectorSettings('Acme', {
  baseUrl: baseUrlSetting('OJA_ACME_URL', 'https://acme.example'),
  key: requiredSetting('OJA_ACME_KEY'),
});

/** Reads the settings. Undefined when none is set, and the provider is then not used. */
export const readAcme = withCommon(acmeSettings, 'notFoundGraceMs');
