/** A call to Reloadly: with its token, in the version of the interface that the call is of. */
import { openProviderUpstream } from '../../upstream/call-in-lanes.ts';
import {
  type CallOptions,
  openTokenedClient,
  type TokenedClient,
  type TokenedRequest,
  type TokenedResult,
} from '../../upstream/tokened-client.ts';
import { isUnauthorised } from './mapping.ts';
import type { ReloadlySettings } from './settings.ts';
import { issueToken } from './token.ts';

export type Request = Omit<TokenedRequest, 'headers'> & {
  /** Of the interface; cards have a second. Default `v1`. */
  readonly version?: 'v1' | 'v2';
};

export type Client = Omit<TokenedClient, 'call'> & {
  call(request: Request, options?: CallOptions): Promise<TokenedResult>;
};

export function openClient(settings: ReloadlySettings): Client {
  const { authUrl, clientSecret } = settings;
  const audience = settings.baseUrl.replace(/\/+$/, '');
  const now = settings.now ?? ((): Date => new Date());
  const client = openTokenedClient({
    ...settings,
    open: openProviderUpstream,
    provider: 'reloadly',
    tokenUrl: authUrl,
    renew: (upstream) => issueToken({ ...settings, upstream, audience, now }),
    isTokenRefused: isUnauthorised,
  });
  return {
    ...client,
    call: ({ version = 'v1', ...request }, options) => {
      const headers = { accept: `application/com.reloadly.giftcards-${version}+json` };
      return client.call({ ...request, headers }, options);
    },
    secrets: () => [clientSecret, ...client.secrets()],
  };
}
