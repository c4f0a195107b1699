/** The settings of the operator's account at ClubKonnect. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  requiredSetting,
  scaledMs,
  setting,
} from '../../core/connector-settings.ts';
import { type ProviderSettings, withCommonGrace } from '../provider-definition.ts';

export const clubkonnectSettings = connectorSettings('ClubKonnect', {
  baseUrl: baseUrlSetting('OJA_CLUBKONNECT_BASE_URL', 'https://www.nellobytesystems.com'),
  userId: requiredSetting('OJA_CLUBKONNECT_USER_ID', 'account'),
  apiKey: requiredSetting('OJA_CLUBKONNECT_API_KEY'),
  /** Sent with a bill whose customer gave no mobile number. Without it, such a bill is refused. */
  contactPhone: setting('OJA_CLUBKONNECT_CONTACT_PHONE', 'plain', (read, name) => read.mobileNumber(name)),
  /** Sent as `CallBackURL`. Absent: the field is not sent. Its calls are not read. */
  callback: setting('OJA_CLUBKONNECT_CALLBACK', 'plain', (read, name) => read.upstream(name)),
  connectionsMax: limit(20),
  deadlineMs: scaledMs(50_000),
});

export type ClubkonnectSettings = ProviderSettings<typeof clubkonnectSettings>;

export const readClubkonnect = withCommonGrace<ClubkonnectSettings>(clubkonnectSettings);
