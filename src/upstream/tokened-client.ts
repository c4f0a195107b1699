/**
 * Calls to an upstream that wants an access token with each of them. It never resends, with one
 * exception: a call whose token was refused was not looked at, and goes out once more, unchanged,
 * with a new token.
 */
import { systemClock } from '../kernel/clock.ts';
import { createAccessTokens, type HeldToken, type NoAccess } from './access-tokens.ts';
import {
  type CallResult,
  openUpstream,
  type Upstream,
  type UpstreamRequest,
  type UpstreamSettings,
  WAIT_MS,
} from './call.ts';

/** The caller adds the token to the headers. */
export type TokenedRequest = Omit<UpstreamRequest, 'headers'> & Partial<Pick<UpstreamRequest, 'headers'>>;

export type CallOptions = { readonly signal?: AbortSignal; readonly sendWithinMs?: number };

/** `no_access`: the call was not made, for the upstream refused our credentials. */
export type TokenedResult = CallResult | { readonly kind: 'no_access'; readonly reason: string };

export type TokenedClient = Pick<Upstream, 'breakerState' | typeof Symbol.asyncDispose> & {
  /**
   * The wait before it leaves, for the token and a connection, has one bound, and each answer its
   * deadline.
   */
  call(request: TokenedRequest, options?: CallOptions): Promise<TokenedResult>;
  /** Resolves once the token was asked for; undefined where it is here. Never rejects. */
  untilReady(): Promise<unknown> | undefined;
  /** What must never be shown. */
  secrets(): readonly string[];
};

export type TokenedClientSettings = UpstreamSettings & {
  /** Who hands out tokens. Default: the base URL of the calls. */
  readonly tokenUrl?: string;
  /** Asks there for a token; `old` is the present one unless it was refused. Never throws. */
  readonly renew: (tokenUpstream: Upstream, old: HeldToken | undefined) => Promise<HeldToken | NoAccess>;
  /** Whether the upstream refused the token, and so did not look at the call at all. */
  readonly isTokenRefused: (result: CallResult) => boolean;
  /** Opens the connections of the calls. Default: one pool for all. */
  readonly open?: (settings: UpstreamSettings) => Upstream;
  readonly now?: () => Date;
};

/** `sendUntil` by `Clock.elapsedMs`; `waiting` aborts then, or when the caller stops waiting. */
type Bounds = {
  readonly signal: AbortSignal | undefined;
  readonly waiting: AbortSignal;
  readonly sendUntil: number;
};

const TOKEN_DEADLINE_MS = 10_000;

export function openTokenedClient(settings: TokenedClientSettings): TokenedClient {
  const { waitMs = WAIT_MS, renew, isTokenRefused, open = openUpstream } = settings;
  const upstream = open(settings);
  const tokenUpstream = openTokenUpstream(settings);
  const tokens = createAccessTokens({
    renew: (old) => renew(tokenUpstream, old),
    now: settings.now ?? ((): Date => new Date()),
  });

  const sendWith = async (token: string, request: TokenedRequest, bounds: Bounds): Promise<CallResult> => {
    const { signal, sendUntil } = bounds;
    const sendWithinMs = sendUntil - systemClock.elapsedMs();
    if (sendWithinMs <= 0) return { kind: 'not_sent', reason: 'held up too long to be sent' };
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    return await upstream.call({ ...request, headers }, { signal, sendWithinMs });
  };

  const send = async (request: TokenedRequest, bounds: Bounds): Promise<TokenedResult> => {
    const access = await tokens.get(bounds.waiting);
    if (access.kind !== 'token') return withoutToken(access);
    const result = await sendWith(access.value, request, bounds);
    if (!isTokenRefused(result)) return result;
    const renewed = await tokens.replace(access.value, bounds.waiting);
    // Not executed: the token was refused before the call was read.
    return renewed.kind === 'token' ? await sendWith(renewed.value, request, bounds) : withoutToken(renewed);
  };

  return {
    call: async (request, options) => {
      const sendWithinMs = Math.min(options?.sendWithinMs ?? waitMs, waitMs);
      const sendUntil = systemClock.elapsedMs() + sendWithinMs;
      const signal = options?.signal;
      // Whole milliseconds are all that it takes.
      const bound = AbortSignal.timeout(Math.max(0, Math.ceil(sendWithinMs)));
      const waiting = signal === undefined ? bound : AbortSignal.any([bound, signal]);
      return await send(request, { signal, waiting, sendUntil });
    },
    untilReady: () => tokens.untilReady(),
    secrets: () => tokens.secrets(),
    breakerState: () => upstream.breakerState(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([upstream[Symbol.asyncDispose](), tokenUpstream[Symbol.asyncDispose]()]);
    },
  };
}

/** Apart from that of the calls, so that a queue of calls cannot keep the token from them. */
function openTokenUpstream({
  provider,
  baseUrl,
  tokenUrl,
  deadlineMs,
  onCall,
}: TokenedClientSettings): Upstream {
  return openUpstream({
    provider,
    baseUrl: tokenUrl ?? baseUrl,
    connectionsMax: 1,
    deadlineMs: Math.min(deadlineMs, TOKEN_DEADLINE_MS),
    ...(onCall && { onCall }),
  });
}

function withoutToken({ kind, reason }: NoAccess): TokenedResult {
  return kind === 'refused' ? { kind: 'no_access', reason } : { kind: 'not_sent', reason, unreachable: true };
}
