/**
 * Everything about calling an upstream over HTTP, for every connector: a pool of kept-alive
 * connections, a limiter before it, a circuit breaker, a bound on the wait before a call leaves and
 * a deadline for its answer. It never throws and never resends.
 *
 * What it guarantees is the line between two kinds of silence. `not_sent`: the HTTP client never
 * put a byte of this request on a socket. `lost`: it may have, and no readable answer came back.
 * The proof is not the error's code but the client's own hook, called just before it writes: an
 * exchange whose `onRequestStart` never ran was never written, and one that was given up before is
 * refused there and stays unwritten.
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
  /** Appended to the path of the base URL; begins with a slash. */
  readonly path: string;
  /** A function where they must be made when the call leaves. */
  readonly headers: Readonly<Record<string, string>> | (() => Readonly<Record<string, string>>);
  /** Sent as JSON. */
  readonly body?: Readonly<Record<string, unknown>>;
};

export type CallResult =
  /** A complete answer whose body was JSON, with any status. */
  | { readonly kind: 'reply'; readonly status: number; readonly body: unknown }
  /** `unreachable`: it was tried, and there was no connection. */
  | { readonly kind: 'not_sent'; readonly reason: string; readonly unreachable?: true }
  /** `status` is there when an answer came complete but could not be read. */
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
  /** Scheme, host, port and path prefix. */
  readonly baseUrl: string;
  /** Connections, and so calls at the same time. */
  readonly connectionsMax: number;
  /**
   * How the connections are shared. Default: all calls are alike, and ten may wait for each
   * connection. One more is answered `not_sent`.
   */
  readonly limits?: Partial<LimiterSettings>;
  /** How long an answer is waited for once the call has left. */
  readonly deadlineMs: number;
  /** How long a call may wait until it leaves; then it is `not_sent`. Default: 5 seconds. */
  readonly waitMs?: number;
  readonly breaker?: BreakerSettings;
  /** The largest answer that is read; a larger one is `lost`. Default: 1 MiB. */
  readonly responseBytesMax?: number;
  readonly onCall?: (event: CallEvent) => void;
};

type BreakerSettings = {
  /**
   * It opens when more than half of the last so many calls met a fault of the upstream: no
   * connection, no answer within the deadline, an unreadable one, or HTTP 5xx. Calls that we gave
   * up ourselves, or never made, do not count.
   */
  readonly window: number;
  /** How long it stays open before one call is let through as a probe. */
  readonly probeAfterMs: number;
};

export type CallOptions = {
  readonly signal?: AbortSignal | undefined;
  /** Whose call it is, and how urgent. Absent: a call of the gateway's own. */
  readonly turn?: Turn | undefined;
  /**
   * A request not written by then never is, whatever held it up: the limiter, or this whole
   * process. Only a time shorter than `waitMs` changes anything.
   */
  readonly sendWithinMs?: number | undefined;
};

export type Upstream = {
  call(request: UpstreamRequest, options?: CallOptions): Promise<CallResult>;
  breakerState(): BreakerState;
  readonly limiter: Limiter;
  /** Cuts what is under way; those calls answer `lost` or `not_sent`. Drain before. */
  [Symbol.asyncDispose](): Promise<void>;
};

/** The default of `waitMs`. */
export const WAIT_MS = 5_000;

const RESPONSE_BYTES_MAX = 1024 * 1024;
/** Well within the wait: a host that does not answer is its own fault and not our queue's. */
const CONNECT_TIMEOUT_MS = 3_000;
const WAITING_PER_CONNECTION = 10;
const LATE = 'held up too long to be sent';
const TOO_MANY = 'too many calls are waiting';
const PAUSED = 'it gets too many calls';
/** After a 429 that does not say how long. */
const PAUSE_MS = 1_000;
const PAUSE_MAX_MS = 60_000;
const BREAKER: BreakerSettings = { window: 20, probeAfterMs: 2_000 };

export function openUpstream(settings: UpstreamSettings): Upstream {
  const { provider, connectionsMax, deadlineMs, waitMs = WAIT_MS, onCall } = settings;
  const base = new URL(settings.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, {
    connections: connectionsMax,
    // One request on a connection at a time. Behind a pipelined one that breaks, undici would send
    // the rest again.
    pipelining: 1,
    allowH2: false,
    connectTimeout: Math.min(CONNECT_TIMEOUT_MS, waitMs),
    // The exchange keeps its deadline itself.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: settings.responseBytesMax ?? RESPONSE_BYTES_MAX,
  });
  const { window, probeAfterMs } = settings.breaker ?? BREAKER;
  const breaker = circuitBreaker(
    // A probe that we gave up ourselves has not shown that the upstream lives.
    handleWhenResult((exchange) => (exchange as Exchange).showed !== 'life'),
    {
      breaker: new CountBreaker({ threshold: 0.5, size: window }),
      // Its own clock can be set back, and it would stay open for as long. `probeAt` is the bound.
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
    // On an idle connection it is written by now.
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
        // The library would hold every other call until the probe is back; ours are told at once.
        return exchange.fail('breaker open, one call is probing');
      case CircuitState.Closed:
        await dispatch(request, exchange);
        // Counted only now, when it is known whether it counts, and while the answer is news.
        if (exchange.showed !== undefined && breaker.state === CircuitState.Closed) {
          await breaker.execute(() => exchange);
        }
        return;
      default:
        if (systemClock.elapsedMs() < probeAt) return exchange.fail('breaker open');
        await breaker.execute(() => dispatch(request, exchange));
    }
  };

  /** Sends it in its turn. When this resolves its place is free, and the breaker has counted it. */
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

/** One request and what became of it. The first thing that settles it stands. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<CallResult>;
  settled = false;
  /** How long the upstream wants no more calls. */
  pauseMs = 0;
  /** What it showed of the upstream; nothing where we gave up, or did not let it go. */
  showed: 'life' | 'fault' | undefined;
  readonly #resolve: (result: CallResult) => void;
  /** Set just before the first byte is written. */
  #controller: Dispatcher.DispatchController | undefined;
  #deadline: NodeJS.Timeout | undefined;
  #status = 0;
  readonly #chunks: Buffer[] = [];
  readonly #sendWithinMs: number;
  readonly #deadlineMs: number;
  readonly #askedAt = systemClock.elapsedMs();

  constructor(sendWithinMs: number, deadlineMs: number) {
    this.#sendWithinMs = sendWithinMs;
    this.#deadlineMs = deadlineMs;
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    this.result = promise;
    this.#resolve = resolve;
  }

  /** Stops waiting: what was written is cut off, what was not never will be. */
  giveUp(reason: string, showed?: 'fault'): void {
    this.fail(reason, showed);
    this.#controller?.abort(new Error(reason));
  }

  get isWritten(): boolean {
    return this.#controller !== undefined;
  }

  /** How long it may still wait until it is written. */
  leftMs(): number {
    return Math.max(0, this.#askedAt + this.#sendWithinMs - systemClock.elapsedMs());
  }

  /** Stops waiting for a connection; one that was written goes on. */
  giveUpUnsent(): void {
    if (this.#controller === undefined) this.fail(LATE);
  }

  /**
   * True, and given up, when it is too late to send. The timer alone does not tell: in a process
   * that was stopped and goes on, answers are read before timers run, and each lets the next
   * request go.
   */
  giveUpLate(): boolean {
    const late = systemClock.elapsedMs() - this.#askedAt > this.#sendWithinMs;
    if (late) this.giveUpUnsent();
    return late;
  }

  /** Ends the exchange without an answer, in the kind that its stage proves. */
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
      // Given up while it waited for a connection, or about to be written a second time: neither
      // may happen.
      controller.abort(new Error('given up before it was sent'));
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

/** `Retry-After` in seconds, where that is what it says, within bounds. */
function pauseOf(retryAfter: unknown): number {
  const seconds = /^\d{1,6}$/.test(String(retryAfter)) ? Number(retryAfter) : 0;
  return Math.min(Math.max(1_000 * seconds, PAUSE_MS), PAUSE_MAX_MS);
}

function refusalWord(error: unknown): string {
  if (isBrokenCircuitError(error)) return 'breaker open';
  return errorWord(error);
}

/**
 * A short word for an error: its code where it has one. Never its text, which may quote what was
 * sent.
 */
function errorWord(error: unknown): string {
  if (error instanceof Error) return 'code' in error ? String(error.code) : error.name;
  return 'unexpected error';
}
