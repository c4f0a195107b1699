/**
 * The settings of Reloadly: of the operator's own account, and of the account at the demo's
 * simulator.
 */
import type { SettingsReader } from '../../core/settings-reader.ts';
import type { UpstreamSettings } from '../http/call.ts';
import type { CommonSettings, SettingKinds } from '../provider-definition.ts';

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
  /** Absent: Reloadly's webhooks are not taken. */
  readonly signingSecret?: string | undefined;
  readonly notFoundGraceMs: number;
  /**
   * How old a refusal without a code is that "no such order" confirms. Absent, or 0: as soon as one
   * search has not found the order.
   */
  readonly refusalGraceMs?: number;
  readonly now?: () => Date;
};

/** How long an answer is waited for. Reloadly has taken 52 s. */
const DEADLINE_MS = 90_000;
/** How long "not found" is not believed: a day, because the provider names no time. */
const NOT_FOUND_GRACE_MS = 86_400_000;
/** How old a refusal is that "not found" confirms. */
const REFUSAL_GRACE_MS = 30_000;

const account = ['OJA_RELOADLY_CLIENT_ID', 'OJA_RELOADLY_CLIENT_SECRET'];

export const reloadlySettings: SettingKinds = {
  OJA_RELOADLY_BASE_URL: 'account',
  OJA_RELOADLY_AUTH_URL: 'account',
  OJA_RELOADLY_CLIENT_ID: 'secret',
  OJA_RELOADLY_CLIENT_SECRET: 'secret',
  OJA_RELOADLY_SIGNING_SECRET: 'secret',
  OJA_RELOADLY_SENDER_NAME: 'plain',
  OJA_RELOADLY_CONNECTIONS: 'plain',
};

export function readReloadly(read: SettingsReader): ReloadlySettings | undefined {
  const baseUrl = read.upstream('OJA_RELOADLY_BASE_URL');
  const settings: ReloadlySettings = {
    baseUrl: baseUrl ?? 'https://giftcards.reloadly.com',
    authUrl: read.upstream('OJA_RELOADLY_AUTH_URL') ?? 'https://auth.reloadly.com',
    clientId: read.text('OJA_RELOADLY_CLIENT_ID', ''),
    clientSecret: read.text('OJA_RELOADLY_CLIENT_SECRET', ''),
    senderName: read.text('OJA_RELOADLY_SENDER_NAME', 'Oja'),
    signingSecret: read.raw('OJA_RELOADLY_SIGNING_SECRET'),
    connectionsMax: read.integer('OJA_RELOADLY_CONNECTIONS', 20, { min: 1, max: 1_000 }),
    deadlineMs: DEADLINE_MS * read.timeScale,
    notFoundGraceMs: NOT_FOUND_GRACE_MS * read.timeScale,
    refusalGraceMs: REFUSAL_GRACE_MS * read.timeScale,
  };
  const what = 'of your Reloadly account, as the other Reloadly settings are given';
  return read.account(account, what, baseUrl !== undefined) ? settings : undefined;
}

/** A refusal of the demo is told by the first query. */
const SIMULATED_REFUSAL_GRACE_MS = 3_000;

/** For the demo. These keys protect nothing. */
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
