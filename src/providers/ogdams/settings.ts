/** The settings of an account at OGDAMS SIM hosting. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  optionalSetting,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import { type ProviderSettings, withCommon } from '../provider-definition.ts';

export const ogdamsSettings = connectorSettings('OGDAMS', {
  baseUrl: baseUrlSetting('OJA_OGDAMS_BASE_URL', 'https://simhosting.ogdams.ng'),
  secretKey: requiredSetting('OJA_OGDAMS_SECRET_KEY'),
  /** The field of the answer to `get/balances` with the balance that purchases are paid from. */
  balanceField: optionalSetting('OJA_OGDAMS_BALANCE_FIELD', 'plain'),
  connectionsMax: limit(20),
  deadlineMs: scaledMs(50_000),
});

export type OgdamsSettings = ProviderSettings<typeof ogdamsSettings>;

export const readOgdams = withCommon(ogdamsSettings, 'notFoundGraceMs');
