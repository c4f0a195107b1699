/** Calls Nomba with an access token and our account. Issues and refreshes tokens. */
import { type HeldToken, type NoAccess, TOKEN_LIFE_MIN_MS } from '../http/access-tokens.ts';
import type { CallResult, Upstream } from '../http/call.ts';
import { openProviderUpstream, type ProviderUpstream } from '../http/provider-upstream.ts';
import { isBody, word } from '../http/reply-fields.ts';
import { openTokenedClient, type TokenedClient } from '../http/tokened-client.ts';
import { isUnauthorised } from './mapping.ts';
import type { NombaSettings } from './settings.ts';

type TokenSettings = {
  readonly upstream: Upstream;
  readonly accountId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly now: () => Date;
};

const LIFE_MS = 30 * 60_000;

/** Refreshes the old token, or else requests a new one. */
async function renewToken(
  { upstream, accountId, clientId, clientSecret, now }: TokenSettings,
  old: HeldToken | undefined,
): Promise<HeldToken | NoAccess> {
  const request = (
    path: string,
    headers: Record<string, string>,
    body: Record<string, string>,
  ): Promise<CallResult> =>
    upstream.call({ operation: 'token', method: 'POST', path, headers: { accountId, ...headers }, body });

  if (old?.refresh !== undefined) {
    const refreshed = await request(
      '/v1/auth/token/refresh',
      { authorization: `Bearer ${old.value}` },
      { grant_type: 'refresh_token', refresh_token: old.refresh },
    );
    const fresh = readToken(refreshed, now().getTime());
    if (fresh !== undefined) return fresh;
  }
  const issued = await request(
    '/v1/auth/token/issue',
    {},
    { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret },
  );
  return readToken(issued, now().getTime()) ?? noToken(issued);
}

function readToken(result: CallResult, nowMs: number): HeldToken | undefined {
  if (result.kind !== 'reply' || result.status >= 400 || !isBody(result.body)) return undefined;
  const { code, data } = result.body;
  if (code !== '00' || !isBody(data) || typeof data.access_token !== 'string') return undefined;
  const stated = typeof data.expiresAt === 'string' ? Date.parse(data.expiresAt) : Number.NaN;
  const expiresAtMs = Number.isNaN(stated) ? nowMs + LIFE_MS : Math.max(stated, nowMs + TOKEN_LIFE_MIN_MS);
  const refresh = typeof data.refresh_token === 'string' ? { refresh: data.refresh_token } : {};
  return data.access_token === '' ? undefined : { value: data.access_token, ...refresh, expiresAtMs };
}

function noToken(result: CallResult): NoAccess {
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: `no token: ${result.reason}` };
  const { status, body } = result;
  const code = isBody(body) ? word(body.code) : undefined;
  if (code === undefined || code === '00' || status >= 500 || status === 429) {
    return { kind: 'unavailable', reason: `no token: HTTP ${status}` };
  }
  return { kind: 'refused', reason: `our credentials were refused with code ${code}` };
}

/** Opens the connections. Each call carries the token and our account. */
export function openClient(settings: NombaSettings): TokenedClient & Pick<ProviderUpstream, 'limiters'> {
  const { accountId, clientSecret } = settings;
  const now = settings.now ?? ((): Date => new Date());
  const upstream = openProviderUpstream({ ...settings, provider: 'nomba' });
  const client = openTokenedClient({
    ...settings,
    upstream,
    provider: 'nomba',
    renew: (tokenUpstream, old) => renewToken({ ...settings, upstream: tokenUpstream, now }, old),
    isTokenRefused: isUnauthorised,
  });
  return {
    ...client,
    call: (request, options) => client.call({ ...request, headers: { accountId } }, options),
    limiters: upstream.limiters,
    secrets: () => [clientSecret, ...client.secrets()],
  };
}
