/** The settings of the operator's account at ClubKonnect. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import { type ProviderSettings, withCommon } from '../provider-definition.ts';

export const clubkonnectSettings = connectorSettings('ClubKonnect', {
  baseUrl: baseUrlSetting('OJA_CLUBKONNECT_BASE_URL', 'https://www.nellobytesystems.com'),
  userId: requiredSetting('OJA_CLUBKONNECT_USER_ID', 'account'),
  apiKey: requiredSetting('OJA_CLUBKONNECT_API_KEY'),
  connectionsMax: limit(20),
  deadlineMs: scaledMs(50_000),
});

export type ClubkonnectSettings = ProviderSettings<typeof clubkonnectSettings, 'contactPhone'>;

export const readClubkonnect = withCommon(clubkonnectSettings, 'notFoundGraceMs', 'contactPhone');
