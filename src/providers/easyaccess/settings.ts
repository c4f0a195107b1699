/** The settings of an account at EasyAccess. */
import {
  baseUrlSetting,
  connectorSettings,
  integerSetting,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import type { UpstreamSettings } from '../http/call.ts';
import { withCommonGrace } from '../provider-definition.ts';

/** `baseUrl` is what its two APIs have in common, as in `https://easyaccessapi.com.ng/api`. */
export type EasyAccessSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly token: string;
  readonly notFoundGraceMs: number;
};

export const easyAccessSettings = connectorSettings('EasyAccess', {
  baseUrl: baseUrlSetting('OJA_EASYACCESS_BASE_URL', 'https://easyaccessapi.com.ng/api'),
  token: requiredSetting('OJA_EASYACCESS_TOKEN'),
  connectionsMax: integerSetting('OJA_EASYACCESS_CONNECTIONS', 20, { min: 1, max: 1_000 }),
  deadlineMs: scaledMs(50_000),
});

export const readEasyAccess = withCommonGrace<EasyAccessSettings>(easyAccessSettings);
