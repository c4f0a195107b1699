/** The settings of Acme: of the operator's own account. */
import type { SettingsReader } from '../../../../src/core/settings-reader.ts';
import type { CommonSettings, SettingKinds } from '../../../../src/providers/provider-definition.ts';

export type AcmeSettings = {
  readonly baseUrl: string;
  readonly key: string;
  readonly notFoundGraceMs: number;
};

export const acmeSettings: SettingKinds = { OJA_ACME_URL: 'account', OJA_ACME_KEY: 'secret' };

/** Undefined where no setting is given: the provider is not used. */
export function readAcme(
  read: SettingsReader,
  { notFoundGraceMs }: CommonSettings,
): AcmeSettings | undefined {
  const baseUrl = read.url('OJA_ACME_URL', ['http:', 'https:']);
  const what = 'of your Acme account, as OJA_ACME_URL is given';
  if (!read.account(['OJA_ACME_KEY'], what, baseUrl !== undefined)) return undefined;
  return {
    baseUrl: baseUrl ?? 'https://acme.example',
    key: read.text('OJA_ACME_KEY', ''),
    notFoundGraceMs,
  };
}
