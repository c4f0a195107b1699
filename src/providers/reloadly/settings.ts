/** The settings of Reloadly, for the operator's account and for the demo's simulator. */
import {
  baseUrlSetting,
  type ConnectorSettings,
  connectorSettings,
  integerSetting,
  optionalSetting,
  requiredSetting,
  scaledMs,
  textSetting,
  urlSetting,
} from '../../core/connector-settings.ts';
import type { UpstreamSettings } from '../http/call.ts';
import type { CommonSettings } from '../provider-definition.ts';

/**
 * `baseUrl` names the product and the environment, as `https://giftcards.reloadly.com`. Tokens are
 * valid for this URL only.
 */
export type ReloadlySettings = Omit<UpstreamSettings, 'provider'> & {
  /** The host that issues tokens, as in `https://auth.reloadly.com`. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The sender's name, which the receivers of cards may see. */
  readonly senderName: string;
  /** Absent: Reloadly's webhooks are not accepted. */
  readonly signingSecret?: string | undefined;
  readonly notFoundGraceMs: number;
  /**
   * The age from which "not found" confirms a refusal without a code. Absent, or 0: one search that
   * does not find the order confirms it.
   */
  readonly refusalGraceMs?: number;
  readonly now?: () => Date;
};

export const reloadlySettings: ConnectorSettings<ReloadlySettings> = connectorSettings('Reloadly', {
  baseUrl: baseUrlSetting('OJA_RELOADLY_BASE_URL', 'https://giftcards.reloadly.com'),
  authUrl: urlSetting('OJA_RELOADLY_AUTH_URL', 'https://auth.reloadly.com'),
  clientId: requiredSetting('OJA_RELOADLY_CLIENT_ID'),
  clientSecret: requiredSetting('OJA_RELOADLY_CLIENT_SECRET'),
  signingSecret: optionalSetting('OJA_RELOADLY_SIGNING_SECRET', 'secret'),
  senderName: textSetting('OJA_RELOADLY_SENDER_NAME', 'Oja'),
  connectionsMax: integerSetting('OJA_RELOADLY_CONNECTIONS', 20, { min: 1, max: 1_000 }),
  // Reloadly has taken 52 s.
  deadlineMs: scaledMs(90_000),
  // A day, because Reloadly documents no time.
  notFoundGraceMs: scaledMs(86_400_000),
  refusalGraceMs: scaledMs(30_000),
});

export const readReloadly = reloadlySettings.read;

/** Short enough for the first query of the demo to confirm a refusal. */
const SIMULATED_REFUSAL_GRACE_MS = 3_000;

/** Returns the settings of the demo. Their keys protect nothing. */
export function simulatedReloadly(
  simulatorUrl: string,
  { notFoundGraceMs, timeScale }: CommonSettings,
): ReloadlySettings {
  return {
    baseUrl: `${simulatorUrl}/reloadly`,
    authUrl: `${simulatorUrl}/reloadly`,
    clientId: 'simulator-client-id',
    clientSecret: 'simulator-reloadly-secret-0123456789abcdefghij',
    senderName: 'Oja',
    signingSecret: 'simulator-signing-secret',
    connectionsMax: 20,
    deadlineMs: 50_000,
    notFoundGraceMs,
    refusalGraceMs: timeScale * SIMULATED_REFUSAL_GRACE_MS,
  };
}
