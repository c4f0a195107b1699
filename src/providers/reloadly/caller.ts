/**
 * A call to Reloadly: with its token, within one deadline. It never resends, with one exception: a call whose token
 * Reloadly refused was not looked at, and goes out once more, unchanged, with a new token.
 */
import type { NoAccess } from '../../upstream/access-tokens.ts';
import { type CallResult, openUpstream, type Upstream, type UpstreamSettings } from '../../upstream/call.ts';
import { isUnauthorised } from './mapping.ts';
import { createTokens } from './token.ts';

export type CallerSettings = Omit<UpstreamSettings, 'provider'> & {
  /** Who hands out tokens, as in `https://auth.reloadly.com`. */
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly now?: () => Date;
};

export type Request = Pick<Parameters<Upstream['call']>[0], 'operation' | 'method' | 'path' | 'body'> & {
  /** Of the interface; cards have a second. Default `v1`. */
  readonly version?: 'v1' | 'v2';
};
export type CallOptions = { readonly signal?: AbortSignal; readonly sendWithinMs?: number };

/** What a call came to; `no_access` where it was not made because Reloadly gave us no token for it. */
export type Result = CallResult | { readonly kind: 'no_access'; readonly reason: string };

export type Caller = Pick<Upstream, 'breakerState' | typeof Symbol.asyncDispose> & {
  /** One deadline over all that it takes: the token, the call, and once more after a refused token. */
  call(request: Request, options?: CallOptions): Promise<Result>;
  /** What must never be shown. */
  secrets(): readonly string[];
};

/** `sendUntil` by `performance.now()`. */
type Bounds = { readonly signal: AbortSignal; readonly sendUntil: number };

const TOKEN_DEADLINE_MS = 10_000;

export function openCaller(settings: CallerSettings): Caller {
  const { deadlineMs, onCall } = settings;
  const upstream = openUpstream({ ...settings, provider: 'reloadly' });
  // Apart from that of the orders, so that a queue of orders cannot keep the token from them.
  const tokenUpstream = openUpstream({
    provider: 'reloadly',
    baseUrl: settings.authUrl,
    connectionsMax: 1,
    deadlineMs: Math.min(deadlineMs, TOKEN_DEADLINE_MS),
    ...(onCall && { onCall }),
  });
  const tokens = createTokens({
    upstream: tokenUpstream,
    audience: settings.baseUrl.replace(/\/+$/, ''),
    clientId: settings.clientId,
    clientSecret: settings.clientSecret,
    now: settings.now ?? ((): Date => new Date()),
  });

  const sendWith = async (token: string, request: Request, bounds: Bounds): Promise<CallResult> => {
    const sendWithinMs = bounds.sendUntil - performance.now();
    if (sendWithinMs <= 0) return { kind: 'not_sent', reason: 'held up too long to be sent' };
    const { version = 'v1', ...rest } = request;
    const headers = {
      accept: `application/com.reloadly.giftcards-${version}+json`,
      authorization: `Bearer ${token}`,
    };
    return await upstream.call({ ...rest, headers }, { signal: bounds.signal, sendWithinMs });
  };

  const send = async (request: Request, bounds: Bounds): Promise<Result> => {
    const access = await tokens.get(bounds.signal);
    if (access.kind !== 'token') return withoutToken(access);
    const result = await sendWith(access.value, request, bounds);
    if (!isUnauthorised(result)) return result;
    const renewed = await tokens.replace(access.value, bounds.signal);
    // Not executed: Reloadly refused the token before it read the order.
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

function withoutToken({ kind, reason }: NoAccess): Result {
  return { kind: kind === 'refused' ? 'no_access' : 'not_sent', reason };
}
