/**
 * A call to Nomba: with its token, in its turn, within one deadline. It never resends, with one exception: a call whose
 * token Nomba refused was not looked at, and goes out once more, unchanged, with a new token.
 */
import { type CallResult, openUpstream, type Upstream, type UpstreamSettings } from '../../upstream/call.ts';
import { createPace } from '../../upstream/pace.ts';
import { isUnauthorised, type Result } from './mapping.ts';
import { createTokens } from './token.ts';

export type CallerSettings = Omit<UpstreamSettings, 'provider'> & {
  /** The parent account, in every call. */
  readonly accountId: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Purchases a second of this process; Nomba allows 15 in all. 0 sets no limit. Default 15. */
  readonly purchasesPerSecond?: number;
  readonly now?: () => Date;
};

type Request = Omit<Parameters<Upstream['call']>[0], 'headers'>;
export type CallOptions = { readonly signal?: AbortSignal; readonly sendWithinMs?: number };

export type Caller = Pick<Upstream, 'breakerState' | typeof Symbol.asyncDispose> & {
  /** One deadline over all that it takes: the token, the turn, the call, and once more after a refused token. */
  call(request: Request, options?: CallOptions): Promise<Result>;
  /** What must never be shown. */
  secrets(): readonly string[];
};

/** `sendUntil` by `performance.now()`. */
type Bounds = { readonly signal: AbortSignal; readonly sendUntil: number };

const TOKEN_DEADLINE_MS = 10_000;
const PURCHASES_PER_SECOND = 15;

export function openCaller(settings: CallerSettings): Caller {
  const { accountId, clientId, clientSecret, deadlineMs } = settings;
  const upstream = openUpstream({ ...settings, provider: 'nomba' });
  const tokenUpstream = openUpstream({
    provider: 'nomba',
    baseUrl: settings.baseUrl,
    connectionsMax: 1,
    deadlineMs: Math.min(deadlineMs, TOKEN_DEADLINE_MS),
    ...(settings.onCall && { onCall: settings.onCall }),
  });
  const now = settings.now ?? ((): Date => new Date());
  const tokens = createTokens({ upstream: tokenUpstream, accountId, clientId, clientSecret, now });
  const pace = createPace(settings.purchasesPerSecond ?? PURCHASES_PER_SECOND);

  const sendWith = async (token: string, request: Request, bounds: Bounds): Promise<CallResult> => {
    const { signal, sendUntil } = bounds;
    // Half of the deadline is left for the call itself.
    const waitMaxMs = Math.min(deadlineMs / 2, sendUntil - performance.now());
    if (request.operation === 'vend' && !(await pace.turn(waitMaxMs, signal))) {
      return { kind: 'not_sent', reason: 'too many purchases a second' };
    }
    const sendWithinMs = sendUntil - performance.now();
    if (sendWithinMs <= 0) return { kind: 'not_sent', reason: 'held up too long to be sent' };
    const headers = { accountId, authorization: `Bearer ${token}` };
    return await upstream.call({ ...request, headers }, { signal, sendWithinMs });
  };

  const send = async (request: Request, bounds: Bounds): Promise<Result> => {
    const access = await tokens.get(bounds.signal);
    if (access.kind !== 'token') return withoutToken(access);
    const result = await sendWith(access.value, request, bounds);
    if (!isUnauthorised(result)) return result;
    const renewed = await tokens.replace(access.value, bounds.signal);
    // Not executed: Nomba refused the token before it read the order.
    return renewed.kind === 'token' ? await sendWith(renewed.value, request, bounds) : withoutToken(renewed);
  };

  return {
    call: async (request, options) => {
      const sendUntil = performance.now() + Math.min(options?.sendWithinMs ?? deadlineMs, deadlineMs);
      const deadline = AbortSignal.timeout(deadlineMs);
      const signal = options?.signal === undefined ? deadline : AbortSignal.any([deadline, options.signal]);
      const result = await send(request, { signal, sendUntil });
      return deadline.aborted && (result.kind === 'lost' || result.kind === 'not_sent')
        ? { ...result, reason: `no answer within ${deadlineMs} ms` }
        : result;
    },

    secrets: () => tokens.secrets(),
    breakerState: () => upstream.breakerState(),

    [Symbol.asyncDispose]: async () => {
      await Promise.all([upstream[Symbol.asyncDispose](), tokenUpstream[Symbol.asyncDispose]()]);
    },
  };
}

function withoutToken({ kind, reason }: { kind: 'refused' | 'unavailable'; reason: string }): Result {
  return { kind: kind === 'refused' ? 'no_access' : 'not_sent', reason };
}
