/** The settings of the operator's account at SMEPlug. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import { type ProviderSettings, withCommon } from '../provider-definition.ts';

export const smeplugSettings = connectorSettings('SMEPlug', {
  /** It includes the version. */
  baseUrl: baseUrlSetting('OJA_SMEPLUG_BASE_URL', 'https://smeplug.ng/api/v1'),
  secretKey: requiredSetting('OJA_SMEPLUG_SECRET_KEY'),
  connectionsMax: limit(20),
  deadlineMs: scaledMs(50_000),
});

export type SmeplugSettings = ProviderSettings<typeof smeplugSettings>;

export const readSmeplug = withCommon(smeplugSettings, 'notFoundGraceMs');
