/** A call to Nomba: with its token, and purchases in their turn. */
import type { UpstreamSettings } from '../../upstream/call.ts';
import { createPace } from '../../upstream/pace.ts';
import { openTokenedCaller, type TokenedCaller } from '../../upstream/tokened-caller.ts';
import { isUnauthorised } from './mapping.ts';
import { renewToken } from './token.ts';

export type CallerSettings = Omit<UpstreamSettings, 'provider'> & {
  /** The parent account, in every call. */
  readonly accountId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Purchases a second of this process; Nomba allows 15 in all. 0 sets no limit. Default 15. */
  readonly purchasesPerSecond?: number;
  readonly now?: () => Date;
};

const PURCHASES_PER_SECOND = 15;

export function openCaller(settings: CallerSettings): TokenedCaller {
  const { accountId, clientSecret } = settings;
  const now = settings.now ?? ((): Date => new Date());
  const pace = createPace(settings.purchasesPerSecond ?? PURCHASES_PER_SECOND);
  const caller = openTokenedCaller({
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
