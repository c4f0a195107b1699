/**
 * Calls an upstream that needs an access token. Never resends a call, with one exception: a call
 * whose token was refused was not executed, so it is sent once more, unchanged, with a new token.
 */
import { systemClock } from '../../core/clock.ts';
import { createAccessTokens, type HeldToken, type NoAccess } from './access-tokens.ts';
import {
  type CallOptions,
  type CallResult,
  openUpstream,
  type Upstream,
  type UpstreamRequest,
  type UpstreamSettings,
  WAIT_MS,
} from './call.ts';

/** A request without its token, which the client adds to the headers. */
export type TokenedRequest = Omit<UpstreamRequest, 'headers'> & Partial<Pick<UpstreamRequest, 'headers'>>;

/** `no_access`: the call was not made because the upstream refused our credentials. */
export type TokenedResult = CallResult | { readonly kind: 'no_access'; readonly reason: string };

export type TokenedClient = Pick<Upstream, 'breakerState' | typeof Symbol.asyncDispose> & {
  /** Makes a call. `waitMs` limits the wait for the token and for a connection together. */
  call(request: TokenedRequest, options?: CallOptions): Promise<TokenedResult>;
  /** The values that must never be shown. */
  secrets(): readonly string[];
};

export type TokenedClientSettings = UpstreamSettings & {
  /** The address that issues tokens. Default: the base URL of the calls. */
  readonly tokenUrl?: string;
  /**
   * Requests a token. `old` is the current one, unless it was refused; `refused` is the value of
   * one that was. Never throws.
   */
  readonly renew: (
    tokenUpstream: Upstream,
    old: HeldToken | undefined,
    refused: string | undefined,
  ) => Promise<HeldToken | NoAccess>;
  /** Tells whether the upstream refused the token, and so did not execute the call. */
  readonly isTokenRefused: (result: CallResult) => boolean;
  /** The connections of the calls, which the client then owns. Default: new ones. */
  readonly upstream?: Pick<Upstream, 'call' | 'breakerState' | typeof Symbol.asyncDispose>;
  readonly now?: () => Date;
};

/** `sendUntil` is a time of `Clock.elapsedMs`. */
type Bounds = Pick<CallOptions, 'signal' | 'turn'> & { readonly sendUntil: number };

const TOKEN_DEADLINE_MS = 10_000;

export function openTokenedClient(settings: TokenedClientSettings): TokenedClient {
  const { waitMs = WAIT_MS, renew, isTokenRefused, upstream = openUpstream(settings) } = settings;
  const tokenUpstream = openTokenUpstream(settings);
  const tokens = createAccessTokens({
    renew: (old, refused) => renew(tokenUpstream, old, refused),
    now: settings.now ?? ((): Date => new Date()),
  });

  const sendWith = async (token: string, request: TokenedRequest, bounds: Bounds): Promise<CallResult> => {
    const { signal, turn, sendUntil } = bounds;
    const sendWithinMs = sendUntil - systemClock.elapsedMs();
    if (sendWithinMs <= 0) return { kind: 'not_sent', reason: 'waited too long to be sent' };
    const headers = { ...request.headers, authorization: `Bearer ${token}` };
    return await upstream.call({ ...request, headers }, { signal, turn, sendWithinMs });
  };

  const send = async (request: TokenedRequest, bounds: Bounds): Promise<TokenedResult> => {
    const present = tokens.present();
    const access =
      present === undefined
        ? await tokens.get(waiting(bounds))
        : ({ kind: 'token', value: present } as const);
    if (access.kind !== 'token') return withoutToken(access);
    const result = await sendWith(access.value, request, bounds);
    if (!isTokenRefused(result)) return result;
    const renewed = await tokens.replace(access.value, waiting(bounds));
    // The call was not executed: its token was refused before it was read.
    return renewed.kind === 'token' ? await sendWith(renewed.value, request, bounds) : withoutToken(renewed);
  };

  return {
    call: async (request, options) => {
      const sendWithinMs = Math.min(options?.sendWithinMs ?? waitMs, waitMs);
      const sendUntil = systemClock.elapsedMs() + sendWithinMs;
      return await send(request, { signal: options?.signal, turn: options?.turn, sendUntil });
    },
    secrets: () => tokens.secrets(),
    breakerState: () => upstream.breakerState(),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([upstream[Symbol.asyncDispose](), tokenUpstream[Symbol.asyncDispose]()]);
    },
  };
}

/** Returns a signal that aborts when it is too late to send or the caller gives up. */
function waiting({ signal, sendUntil }: Bounds): AbortSignal {
  // A timeout takes whole milliseconds only.
  const bound = AbortSignal.timeout(Math.max(0, Math.ceil(sendUntil - systemClock.elapsedMs())));
  return signal === undefined ? bound : AbortSignal.any([bound, signal]);
}

/** Opens connections for tokens only, so that queued calls cannot delay their own token. */
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
