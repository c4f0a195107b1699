/** The settings of Reloadly, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  connectorSettings,
  limit,
  optionalSetting,
  requiredSetting,
  scaledMs,
} from '../../core/connector-settings.ts';
import { type CommonSettings, type ProviderSettings, withCommon } from '../provider-definition.ts';

export const reloadlySettings = connectorSettings('Reloadly', {
  /** It names the product and the environment. Tokens are valid for this URL only. */
  baseUrl: baseUrlSetting('OJA_RELOADLY_BASE_URL', 'https://giftcards.reloadly.com'),
  clientId: requiredSetting('OJA_RELOADLY_CLIENT_ID'),
  clientSecret: requiredSetting('OJA_RELOADLY_CLIENT_SECRET'),
  /** Absent: Reloadly's webhooks are not accepted. */
  signingSecret: optionalSetting('OJA_RELOADLY_SIGNING_SECRET', 'secret'),
  connectionsMax: limit(20),
  // Reloadly has taken 52 s.
  deadlineMs: scaledMs(90_000),
  // A day, because Reloadly documents no time.
  notFoundGraceMs: scaledMs(86_400_000),
  refusalGraceMs: scaledMs(30_000),
});

export type ReloadlySettings = ProviderSettings<typeof reloadlySettings, 'businessName'>;

export const readReloadly = withCommon(reloadlySettings, 'businessName');

/** Short enough for the first query of the demo to confirm a refusal. */
const SIMULATED_REFUSAL_GRACE_MS = 3_000;

/** Returns the settings of the demo. Their keys protect nothing. */
export function simulatedReloadly(
  simulatorUrl: string,
  { notFoundGraceMs, timeScale, businessName }: CommonSettings,
): ReloadlySettings {
  return {
    baseUrl: `${simulatorUrl}/reloadly`,
    clientId: 'simulator-client-id',
    clientSecret: 'simulator-reloadly-secret-0123456789abcdefghij',
    businessName,
    signingSecret: 'simulator-signing-secret',
    connectionsMax: 20,
    deadlineMs: 50_000,
    notFoundGraceMs,
    refusalGraceMs: timeScale * SIMULATED_REFUSAL_GRACE_MS,
  };
}
