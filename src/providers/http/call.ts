/**
 * Calls an upstream over HTTP, for every connector. Each upstream has a pool of kept-alive
 * connections, a limiter, a circuit breaker, a limit of the wait before a call leaves, and a
 * deadline for its reply. A call never throws and is never resent.
 *
 * Guarantees which calls were sent. `not_sent`: the HTTP client wrote no byte of the request to a
 * socket. `lost`: the client may have written it, and no readable reply came back. The proof is the
 * client's own hook, called just before it writes, and not an error code. An exchange whose
 * `onRequestStart` never ran was never written. An exchange that was given up earlier is refused in
 * that hook, so it stays unwritten.
 */
import {
  CircuitState,
  CountBreaker,
  circuitBreaker,
  handleWhenResult,
  isBrokenCircuitError,
} from 'cockatiel';
import { type Dispatcher, Pool } from 'undici';
import { systemClock } from '../../core/clock.ts';
import { Limiter, type LimiterSettings, newTurn, type Turn } from './limiter.ts';

export type UpstreamRequest = {
  /** For metrics: `purchase`, `query`, `balance` … */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** The path below that of the base URL, with a slash in front. */
  readonly path: string;
  /** A function if the headers must be made when the call leaves. */
  readonly headers: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  /** The body, sent as JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
};

export type CallResult =
  /** A complete reply whose body is JSON, with any status. */
  | { readonly kind: 'reply'; readonly status: number; readonly body: unknown }
  /** `unreachable`: a connection was tried and failed. */
  | { readonly kind: 'not_sent'; readonly reason: string; readonly unreachable?: true }
  /** `status` is present when a complete reply could not be read. */
  | { readonly kind: 'lost'; readonly reason: string; readonly status?: number };

export type CallEvent = {
  readonly provider: string;
  readonly operation: string;
  readonly outcome: CallResult['kind'];
  readonly latencyMs: number;
};

type BreakerState = 'closed' | 'open' | 'half_open';

export type UpstreamSettings = {
  readonly provider: string;
  /** The scheme, host, port and path prefix. */
  readonly baseUrl: string;
  /** The number of connections, which is the number of concurrent calls. */
  readonly connectionsMax: number;
  /**
   * How calls share the connections. Default: all calls are equal, and ten may wait for each
   * connection. Further calls are answered `not_sent`.
   */
  readonly limits?: Partial<LimiterSettings>;
  /** How long a call waits for its reply after it has left. */
  readonly deadlineMs: number;
  /** How long a call may wait before it leaves; then it is `not_sent`. Default: 5 seconds. */
  readonly waitMs?: number;
  readonly breaker?: BreakerSettings;
  /** The largest reply that is read. A larger one is `lost`. Default: 1 MiB. */
  readonly responseBytesMax?: number;
  readonly onCall?: (event: CallEvent) => void;
};

type BreakerSettings = {
  /**
   * The number of recent calls that count. The breaker opens when more than half of them failed: no
   * connection, no reply within the deadline, an unreadable reply, or HTTP 5xx. Calls that we
   * cancelled or never made do not count.
   */
  readonly window: number;
  /** How long the breaker stays open before it lets one call through as a probe. */
  readonly probeAfterMs: number;
};

export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** The merchant and the priority of the call. Absent: the gateway's own call. */
  readonly turn?: Turn | undefined;
  /**
   * A request that is not written within this time is never written, whatever the delay's cause.
   * Only a time shorter than `waitMs` has an effect.
   */
  readonly sendWithinMs?: number | undefined;
};

export type Upstream = {
  call(request: UpstreamRequest, options?: CallOptions): Promise<CallResult>;
  breakerState(): BreakerState;
  readonly limiter: Limiter;
  /** Ends running calls with `lost` or `not_sent`. Drain first. */
  [Symbol.asyncDispose](): Promise<void>;
};

/** The default of `waitMs`. */
export const WAIT_MS = 5_000;

const RESPONSE_BYTES_MAX = 1024 * 1024;
/** Shorter than the wait, so that an unreachable host is not mistaken for a full queue. */
const CONNECT_TIMEOUT_MS = 3_000;
const WAITING_PER_CONNECTION = 10;
const LATE = 'waited too long to be sent';
const TOO_MANY = 'too many calls are waiting';
const PAUSED = 'the upstream asked for fewer calls';
/** The pause after a 429 without `Retry-After`. */
const PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 60_000;
const BREAKER: BreakerSettings = { window: 20, probeAfterMs: 2_000 };

export function openUpstream(settings: UpstreamSettings): Upstream {
  const { provider, connectionsMax, deadlineMs, waitMs = WAIT_MS, onCall } = settings;
  const base = new URL(settings.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, {
    connections: connectionsMax,
    // One request at a time per connection: undici resends requests that are pipelined behind a
    // broken one.
    pipelining: 1,
    allowH2: false,
    connectTimeout: Math.min(CONNECT_TIMEOUT_MS, waitMs),
    // The exchange has a separate deadline.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: settings.responseBytesMax ?? RESPONSE_BYTES_MAX,
  });
  const { window, probeAfterMs } = settings.breaker ?? BREAKER;
  const breaker = circuitBreaker(
    // A probe that we gave up does not prove that the upstream works.
    handleWhenResult((exchange) => (exchange as Exchange).showed !== 'life'),
    {
      breaker: new CountBreaker({ threshold: 0.5, size: window }),
      // The library's clock can be set back, which would keep the breaker open. `probeAt` decides.
      halfOpenAfter: Number.NEGATIVE_INFINITY,
    },
  );
  let probeAt = 0;
  breaker.onBreak(() => {
    probeAt = systemClock.elapsedMs() + probeAfterMs;
  });
  const waitingMax = connectionsMax * WAITING_PER_CONNECTION;
  const limiter = new Limiter({ waitingMax, ...settings.limits, callsMax: connectionsMax });

  const dispatch = async (request: UpstreamRequest, exchange: Exchange): Promise<Exchange> => {
    const { method, path, headers: given, body } = request;
    const headers = typeof given === 'function' ? given() : given;
    pool.dispatch(
      {
        method,
        path: prefix + path,
        headers: body ? { ...headers, 'content-type': 'application/json' } : headers,
        body: body ? JSON.stringify(body) : null,
      },
      exchange,
    );
    // On an idle connection the request is written by now.
    const timer = exchange.isWritten
      ? undefined
      : setTimeout(() => exchange.giveUpUnsent(), exchange.leftMs());
    await exchange.result;
    clearTimeout(timer);
    if (exchange.pauseMs > 0) limiter.pause(exchange.pauseMs);
    return exchange;
  };

  const send = async (request: UpstreamRequest, exchange: Exchange): Promise<void> => {
    if (exchange.settled || exchange.giveUpLate()) return;
    switch (breaker.state) {
      case CircuitState.HalfOpen:
        // The library would hold other calls until the probe returns, so they are refused at once.
        return exchange.fail('breaker open, one call is probing');
      case CircuitState.Closed:
        await dispatch(request, exchange);
        // Count the call now, when its outcome is known and the breaker is still closed.
        if (exchange.showed !== undefined && breaker.state === CircuitState.Closed) {
          await breaker.execute(() => exchange);
        }
        return;
      default:
        if (systemClock.elapsedMs() < probeAt) return exchange.fail('breaker open');
        await breaker.execute(() => dispatch(request, exchange));
    }
  };

  /** Sends a request through the limiter. Resolves when its place is free and it is counted. */
  const sendInTurn = async (
    request: UpstreamRequest,
    exchange: Exchange,
    turn: Turn,
    signal?: AbortSignal,
  ): Promise<void> => {
    if (!limiter.tryEnter(turn)) {
      const entry = await limiter.enter(turn, exchange.leftMs(), signal);
      if (entry !== 'in')
        return exchange.fail(entry === 'full' ? TOO_MANY : limiter.pausedMs > 0 ? PAUSED : LATE);
    }
    const startedAtMs = systemClock.elapsedMs();
    try {
      await send(request, exchange);
    } catch (error) {
      exchange.fail(refusalWord(error));
    }
    limiter.leave(turn, exchange.isWritten ? systemClock.elapsedMs() - startedAtMs : undefined);
  };

  return {
    call: async (request, { signal, sendWithinMs = waitMs, turn = newTurn('purchase') } = {}) => {
      const startedAt = performance.now();
      const exchange = new Exchange(Math.min(sendWithinMs, waitMs), deadlineMs);
      const onAbort = (): void => exchange.giveUp('the caller stopped waiting');
      signal?.addEventListener('abort', onAbort);
      if (signal?.aborted) onAbort();
      else await sendInTurn(request, exchange, turn, signal);
      signal?.removeEventListener('abort', onAbort);
      const result = await exchange.result;
      onCall?.({
        provider,
        operation: request.operation,
        outcome: result.kind,
        latencyMs: performance.now() - startedAt,
      });
      return result;
    },

    breakerState: () => {
      if (limiter.pausedMs > 0) return 'open';
      if (breaker.state === CircuitState.Closed) return 'closed';
      const probes = breaker.state === CircuitState.HalfOpen || systemClock.elapsedMs() >= probeAt;
      return probes ? 'half_open' : 'open';
    },

    limiter,

    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

/** One request and its outcome. Later outcomes are ignored. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<CallResult>;
  settled = false;
  /** How long the upstream wants to receive no calls. */
  pauseMs = 0;
  /** What the call proves about the upstream. Undefined when we gave up or never sent it. */
  showed: 'life' | 'fault' | undefined;
  readonly #resolve: (result: CallResult) => void;
  /** Set just before the first byte is written. */
  #controller: Dispatcher.DispatchController | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #status = 0;
  readonly #chunks: Buffer[] = [];
  readonly #sendWithinMs: number;
  readonly #deadlineMs: number;
  readonly #createdAt = systemClock.elapsedMs();

  constructor(sendWithinMs: number, deadlineMs: number) {
    this.#sendWithinMs = sendWithinMs;
    this.#deadlineMs = deadlineMs;
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    this.result = promise;
    this.#resolve = resolve;
  }

  /** Gives up: cuts off a written request, and never writes another one. */
  giveUp(reason: string, showed?: 'fault'): void {
    this.fail(reason, showed);
    this.#controller?.abort(new Error(reason));
  }

  get isWritten(): boolean {
    return this.#controller !== undefined;
  }

  /** Returns how long the request may still wait to be written. */
  leftMs(): number {
    return Math.max(0, this.#createdAt + this.#sendWithinMs - systemClock.elapsedMs());
  }

  /** Gives up a request that is not written yet. A written one continues. */
  giveUpUnsent(): void {
    if (this.#controller === undefined) this.fail(LATE);
  }

  /**
   * Gives up and returns true when it is too late to send. A timer is not enough: a process that
   * was stopped and resumes reads replies before its timers run, and each reply starts the next
   * request.
   */
  giveUpLate(): boolean {
    const late = systemClock.elapsedMs() - this.#createdAt > this.#sendWithinMs;
    if (late) this.giveUpUnsent();
    return late;
  }

  /** Ends the exchange without a reply: `lost` once it was written, else `not_sent`. */
  fail(reason: string, showed?: 'fault'): void {
    this.#settle(
      this.#controller === undefined
        ? { kind: 'not_sent', reason, ...(showed === 'fault' && { unreachable: true }) }
        : { kind: 'lost', reason },
      showed,
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.settled || this.#controller !== undefined || this.giveUpLate()) {
      // Never write a request that was given up, or write one twice.
      controller.abort(new Error('the caller stopped waiting before it was sent'));
      return;
    }
    this.#controller = controller;
    this.#deadline = setTimeout(
      () => this.giveUp(`no answer within ${this.#deadlineMs} ms`, 'fault'),
      this.#deadlineMs,
    );
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    this.#status = statusCode;
    if (statusCode === 429) this.pauseMs = pauseOf(headers['retry-after']);
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const status = this.#status;
    try {
      const body: unknown = JSON.parse(Buffer.concat(this.#chunks).toString('utf8'));
      this.#settle({ kind: 'reply', status, body }, status >= 500 ? 'fault' : 'life');
    } catch {
      this.#settle({ kind: 'lost', reason: `HTTP ${status} with a body that is not JSON`, status }, 'fault');
    }
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(errorWord(error), 'fault');
  }

  #settle(result: CallResult, showed: 'life' | 'fault' | undefined): void {
    if (this.settled) return;
    this.settled = true;
    this.showed = showed;
    clearTimeout(this.#deadline);
    this.#resolve(result);
  }
}

/** Reads `Retry-After` in seconds, within limits. */
function pauseOf(retryAfter: unknown): number {
  const seconds = /^\d{1,6}$/.test(String(retryAfter)) ? Number(retryAfter) : 0;
  return Math.min(Math.max(1_000 * seconds, PAUSE_MS), PAUSE_MAX_MS);
}

function refusalWord(error: unknown): string {
  if (isBrokenCircuitError(error)) return 'breaker open';
  return errorWord(error);
}

/** Returns the error's code or name. Never its text, which may quote the request. */
function errorWord(error: unknown): string {
  if (error instanceof Error) return 'code' in error ? String(error.code) : error.name;
  return 'unexpected error';
}
