/**
 * Calls VTU.ng with a token. A log-in ends every earlier token of the account, so all processes
 * share one (`shared-tokens.ts`).
 */
import type { HeldToken, NoAccess } from '../http/access-tokens.ts';
import type { CallResult, Upstream } from '../http/call.ts';
import { openProviderUpstream, type ProviderUpstream } from '../http/provider-upstream.ts';
import { isBody } from '../http/reply-fields.ts';
import type { SharedTokens } from '../http/shared-tokens.ts';
import { openTokenedClient, type TokenedClient } from '../http/tokened-client.ts';
import { isTokenRefused } from './mapping.ts';
import type { VtungSettings } from './settings.ts';

/** A token is valid for 7 days. */
const LIFE_MS = 6.5 * 86_400_000;

/** Opens the connections. `tokens` is undefined where no other process uses the account. */
export function openClient(
  settings: VtungSettings,
  tokens: SharedTokens | undefined,
): TokenedClient & Pick<ProviderUpstream, 'limiters'> {
  const { baseUrl, username, password, now = (): Date => new Date() } = settings;
  const upstream = openProviderUpstream({ ...settings, provider: 'vtung' });
  const logIn = async (tokenUpstream: Upstream): Promise<HeldToken | NoAccess> => {
    const result = await tokenUpstream.call({
      operation: 'token',
      method: 'POST',
      path: '/jwt-auth/v1/token',
      headers: {},
      body: { username, password },
    });
    return readToken(result, now().getTime());
  };
  const client = openTokenedClient({
    ...settings,
    upstream,
    provider: 'vtung',
    renew: (tokenUpstream, old, refused) =>
      tokens === undefined
        ? logIn(tokenUpstream)
        : tokens(`vtung ${baseUrl} ${username}`, [old?.value, refused], () => logIn(tokenUpstream)),
    isTokenRefused,
  });
  return {
    ...client,
    limiters: upstream.limiters,
    secrets: () => [password, ...client.secrets()],
  };
}

/** A refusal of the credentials is HTTP 4xx with a code, but not 429. */
function readToken(result: CallResult, nowMs: number): HeldToken | NoAccess {
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: `no token: ${result.reason}` };
  const { status, body } = result;
  if (status < 300 && isBody(body) && typeof body.token === 'string' && body.token !== '') {
    return { value: body.token, expiresAtMs: nowMs + LIFE_MS };
  }
  const isRefused = status >= 400 && status < 500 && status !== 429 && isBody(body);
  return isRefused && typeof body.code === 'string'
    ? { kind: 'refused', reason: 'our username or password was refused' }
    : { kind: 'unavailable', reason: `no token: HTTP ${status}` };
}
