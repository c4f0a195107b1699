/** The settings of an account at EasyAccess. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import { type ProviderSettings, withCommon } from '../provider-definition.ts';

export const easyAccessSettings = connectorSettings('EasyAccess', {
  /** What its two APIs have in common. */
  baseUrl: baseUrlSetting('OJA_EASYACCESS_BASE_URL', 'https://easyaccessapi.com.ng/api'),
  token: requiredSetting('OJA_EASYACCESS_TOKEN'),
  connectionsMax: limit(20),
  deadlineMs: scaledMs(50_000),
});

export type EasyAccessSettings = ProviderSettings<typeof easyAccessSettings>;

export const readEasyAccess = withCommon(easyAccessSettings, 'notFoundGraceMs');
