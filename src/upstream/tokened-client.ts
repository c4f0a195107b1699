/**
 * Calls an upstream that wants an access token with each call. It never resends, with one
 * exception: a call whose token was refused was not executed, and is sent once more, unchanged,
 * with a new token.
 */
import { createAccessTokens, type HeldToken, type NoAccess } from './access-tokens.ts';
import {
  type CallResult,
  openUpstream,
  type Upstream,
  type UpstreamRequest,
  type UpstreamSettings,
} from './call.ts';

/** The caller adds the token to the headers. */
export type TokenedRequest = Omit<UpstreamRequest, 'headers'> & Partial<Pick<UpstreamRequest, 'headers'>>;

export type CallOptions = { readonly signal?: AbortSignal; readonly sendWithinMs?: number };

/** `no_access`: the call was not made, for the upstream refused our credentials. */
export type TokenedResult = CallResult | { readonly kind: 'no_access'; readonly reason: string };

export type TokenedClient = Pick<Upstream, 'breakerState' | typeof Symbol.asyncDispose> & {
  /**
   * One deadline covers everything: the token, the wait for a turn, the call, and the second call
   * after a refused token.
   */
  call(request: TokenedRequest, options?: CallOptions): Promise<TokenedResult>;
  /** What must never be shown. */
  secrets(): readonly string[];
};

export type TokenedClientSettings = UpstreamSettings & {
  /** The base URL of the host that issues tokens. Default: that of the calls. */
  readonly tokenUrl?: string;
  /** Asks there for a token; `old` is the present one unless it was refused. Never throws. */
  readonly renew: (tokenUpstream: Upstream, old: HeldToken | undefined) => Promise<HeldToken | NoAccess>;
  /** Whether the upstream refused the token, and so did not execute the call. */
  readonly isTokenRefused: (result: CallResult) => boolean;
  /**
   * For upstreams with a limit of calls a second: waits for the call's turn. False where the turn
   * would come too late.
   */
  readonly turn?: (request: TokenedRequest, waitMaxMs: number, signal: AbortSignal) => Promise<boolean>;
  readonly now?: () => Date;
};

/** `sendUntil` by `performance.now()`. */
type Bounds = { readonly signal: AbortSignal; readonly sendUntil: number };

const TOKEN_DEADLINE_MS = 10_000;

export function openTokenedClient(settings: TokenedClientSettings): TokenedClient {
  const { deadlineMs, renew, isTokenRefused, turn } = settings;
  const upstream = openUpstream(settings);
  const tokenUpstream = openTokenUpstream(settings);
  const tokens = createAccessTokens({
    renew: (old) => renew(tokenUpstream, old),
    now: settings.now ?? ((): Date => new Date()),
  });

  const sendWith = async (token: string, request: TokenedRequest, bounds: Bounds): Promise<CallResult> => {
    const { signal, sendUntil } = bounds;
    // Half of the deadline is left for the call itself.
    const waitMaxMs = Math.min(deadlineMs / 2, sendUntil - performance.now());
    if (turn !== undefined && !(await turn(request, waitMaxMs, signal))) {
      return { kind: 'not_sent', reason: 'too many calls a second' };
    }
    const sendWithinMs = sendUntil - performance.now();
    if (sendWithinMs <= 0) return { kind: 'not_sent', reason: 'held up too long to be sent' };
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    return await upstream.call({ ...request, headers }, { signal, sendWithinMs });
  };

  const send = async (request: TokenedRequest, bounds: Bounds): Promise<TokenedResult> => {
    const access = await tokens.get(bounds.signal);
    if (access.kind !== 'token') return withoutToken(access);
    const result = await sendWith(access.value, request, bounds);
    if (!isTokenRefused(result)) return result;
    const renewed = await tokens.replace(access.value, bounds.signal);
    // Not executed: the token was refused before the call was read.
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

/**
 * Separate from the pool of the calls, so that a queue of calls cannot hold up the token that they
 * wait for.
 */
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
  return { kind: kind === 'refused' ? 'no_access' : 'not_sent', reason };
}
