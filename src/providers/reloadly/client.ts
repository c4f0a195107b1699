/** Calls Reloadly with an access token and the version of the interface. Issues tokens. */
import { type HeldToken, type NoAccess, TOKEN_LIFE_MIN_MS } from '../http/access-tokens.ts';
import type { CallOptions, CallResult, Upstream } from '../http/call.ts';
import { openProviderUpstream, type ProviderUpstream } from '../http/provider-upstream.ts';
import { isBody, word } from '../http/reply-fields.ts';
import {
  openTokenedClient,
  type TokenedClient,
  type TokenedRequest,
  type TokenedResult,
} from '../http/tokened-client.ts';
import { isUnauthorised } from './mapping.ts';
import type { ReloadlySettings } from './settings.ts';

type TokenSettings = {
  /** The connection to the host that issues tokens. */
  readonly upstream: Upstream;
  readonly audience: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly now: () => Date;
};

/** The life of a token whose reply does not state it. */
const LIFE_MS = 60 * 60_000;
const LIFE_MAX_MS = 60 * 24 * 60 * 60_000;
/** The refusals of Reloadly, and of the service that issues its tokens. */
const REFUSALS: ReadonlySet<string> = new Set([
  'INVALID_CREDENTIALS',
  'INVALID_AUDIENCE',
  'access_denied',
  'invalid_client',
  'unauthorized_client',
]);

/**
 * Requests a token, which is valid for one audience: the base URL of the product. Source:
 * Reloadly's documentation, "Authentication".
 */
async function issueToken({
  upstream,
  audience,
  clientId,
  clientSecret,
  now,
}: TokenSettings): Promise<HeldToken | NoAccess> {
  const issued = await upstream.call({
    operation: 'token',
    method: 'POST',
    path: '/oauth/token',
    headers: { accept: 'application/json' },
    body: { client_id: clientId, client_secret: clientSecret, grant_type: 'client_credentials', audience },
  });
  return readToken(issued, now().getTime()) ?? noToken(issued);
}

function readToken(result: CallResult, nowMs: number): HeldToken | undefined {
  if (result.kind !== 'reply' || result.status >= 300 || !isBody(result.body)) return undefined;
  const { access_token: value, expires_in } = result.body;
  if (typeof value !== 'string' || value === '') return undefined;
  const stated = Number(word(expires_in) ?? Number.NaN) * 1_000;
  const lifeMs = Number.isNaN(stated) ? LIFE_MS : Math.min(Math.max(stated, TOKEN_LIFE_MIN_MS), LIFE_MAX_MS);
  return { value, expiresAtMs: nowMs + lifeMs };
}

function noToken(result: CallResult): NoAccess {
  if (result.kind !== 'reply') return { kind: 'unavailable', reason: `no token: ${result.reason}` };
  const body = isBody(result.body) ? result.body : {};
  const code = word(body.errorCode) ?? word(body.error);
  const isRefused = result.status < 500 && code !== undefined && REFUSALS.has(code);
  return isRefused
    ? { kind: 'refused', reason: `our credentials were refused: ${code}` }
    : { kind: 'unavailable', reason: `no token: HTTP ${result.status}` };
}

export type Request = Omit<TokenedRequest, 'headers'> & {
  /** The version of the interface. Cards have a second one. Default: `v1`. */
  readonly version?: 'v1' | 'v2';
};

export type Client = Omit<TokenedClient, 'call'> &
  Pick<ProviderUpstream, 'limiters'> & {
    call(request: Request, options?: CallOptions): Promise<TokenedResult>;
  };

/** Reloadly issues all tokens at one host, those for tests too. */
export function tokenUrlOf(baseUrl: string): string {
  return new URL(baseUrl).hostname.endsWith('.reloadly.com') ? 'https://auth.reloadly.com' : baseUrl;
}

export function openClient(settings: ReloadlySettings): Client {
  const { baseUrl, clientSecret } = settings;
  const audience = baseUrl.replace(/\/+$/, '');
  const now = settings.now ?? ((): Date => new Date());
  const upstream = openProviderUpstream({ ...settings, provider: 'reloadly' });
  const client = openTokenedClient({
    ...settings,
    upstream,
    provider: 'reloadly',
    tokenUrl: tokenUrlOf(baseUrl),
    renew: (tokenUpstream) => issueToken({ ...settings, upstream: tokenUpstream, audience, now }),
    isTokenRefused: isUnauthorised,
  });
  return {
    ...client,
    call: ({ version = 'v1', ...request }, options) => {
      const headers = { accept: `application/com.reloadly.giftcards-${version}+json` };
      return client.call({ ...request, headers }, options);
    },
    limiters: upstream.limiters,
    secrets: () => [clientSecret, ...client.secrets()],
  };
}
