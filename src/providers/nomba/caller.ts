/** A call to Nomba: with its token, and purchases in their turn. */
import { WAITING_UNTIL_DEADLINE } from '../../upstream/call.ts';
import { createPace } from '../../upstream/pace.ts';
import { openTokenedCaller, type TokenedCaller } from '../../upstream/tokened-caller.ts';
import { isUnauthorised } from './mapping.ts';
import type { NombaSettings } from './settings.ts';
import { renewToken } from './token.ts';

export function openCaller(settings: NombaSettings): TokenedCaller {
  const { accountId, clientSecret } = settings;
  const now = settings.now ?? ((): Date => new Date());
  const pace = createPace(settings.purchasesPerSecond);
  const caller = openTokenedCaller({
    waitingMax: WAITING_UNTIL_DEADLINE,
    ...settings,
    provider: 'nomba',
    renew: (upstream, old) => renewToken({ ...settings, upstream, now }, old),
    isTokenRefused: isUnauthorised,
    turn: async ({ operation }, waitMaxMs, signal) =>
      operation !== 'vend' || (await pace.turn(waitMaxMs, signal)),
  });
  return {
    ...caller,
    call: (request, options) => caller.call({ ...request, headers: { accountId } }, options),
    secrets: () => [clientSecret, ...caller.secrets()],
  };
}
