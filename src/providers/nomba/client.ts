/** A call to Nomba: with its token and our account. */
import { openProviderUpstream } from '../../upstream/call-in-lanes.ts';
import { openTokenedClient, type TokenedClient } from '../../upstream/tokened-client.ts';
import { isUnauthorised } from './mapping.ts';
import type { NombaSettings } from './settings.ts';
import { renewToken } from './token.ts';

export function openClient(settings: NombaSettings): TokenedClient {
  const { accountId, clientSecret } = settings;
  const now = settings.now ?? ((): Date => new Date());
  const client = openTokenedClient({
    ...settings,
    open: openProviderUpstream,
    provider: 'nomba',
    renew: (upstream, old) => renewToken({ ...settings, upstream, now }, old),
    isTokenRefused: isUnauthorised,
  });
  return {
    ...client,
    call: (request, options) => client.call({ ...request, headers: { accountId } }, options),
    secrets: () => [clientSecret, ...client.secrets()],
  };
}
