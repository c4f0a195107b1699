/** A call to Nomba: with its token, and purchases in their turn. */
import { WAITING_BY_TIME } from '../../upstream/call.ts';
import { createPace } from '../../upstream/pace.ts';
import { openTokenedClient, type TokenedClient } from '../../upstream/tokened-client.ts';
import { isUnauthorised } from './mapping.ts';
import type { NombaSettings } from './settings.ts';
import { renewToken } from './token.ts';

export function openClient(settings: NombaSettings): TokenedClient {
  const { accountId, clientSecret } = settings;
  const now = settings.now ?? ((): Date => new Date());
  const pace = createPace(settings.purchasesPerSecond);
  const client = openTokenedClient({
    waitingMax: WAITING_BY_TIME,
    ...settings,
    provider: 'nomba',
    renew: (upstream, old) => renewToken({ ...settings, upstream, now }, old),
    isTokenRefused: isUnauthorised,
    turn: async ({ operation }, waitMaxMs, signal) =>
      operation !== 'vend' || (await pace.turn(waitMaxMs, signal)),
  });
  return {
    ...client,
    call: (request, options) => client.call({ ...request, headers: { accountId } }, options),
    secrets: () => [clientSecret, ...client.secrets()],
  };
}
