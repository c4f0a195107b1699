/** The settings of the operator's account at SMEPlug. */
import {
  baseUrlSetting,
  connectorSettings,
  integerSetting,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import type { UpstreamSettings } from '../http/call.ts';
import { withCommonGrace } from '../provider-definition.ts';

/** `baseUrl` includes the version, as in `https://smeplug.ng/api/v1`. */
export type SmeplugSettings = Omit<UpstreamSettings, 'provider'> & {
  readonly secretKey: string;
  readonly notFoundGraceMs: number;
};

export const smeplugSettings = connectorSettings('SMEPlug', {
  baseUrl: baseUrlSetting('OJA_SMEPLUG_BASE_URL', 'https://smeplug.ng/api/v1'),
  secretKey: requiredSetting('OJA_SMEPLUG_SECRET_KEY'),
  connectionsMax: integerSetting('OJA_SMEPLUG_CONNECTIONS', 20, { min: 1, max: 1_000 }),
  deadlineMs: scaledMs(50_000),
});

export const readSmeplug = withCommonGrace<SmeplugSettings>(smeplugSettings);
