/**
 * Everything about calling an upstream over HTTP, for every connector: a pool of kept-alive
 * connections, a limit on concurrent calls with a bounded queue before it, a circuit breaker, a
 * bound on the wait before a call leaves and a deadline for its answer. It never throws and never
 * resends.
 *
 * What it guarantees is the line between two kinds of silence. `not_sent`: the HTTP client never
 * put a byte of this request on a socket. `lost`: it may have, and no readable answer came back.
 * The proof is not the error's code but the client's own hook, called just before it writes: an
 * exchange whose `onRequestStart` never ran was never written, and one that was given up before is
 * refused there and stays unwritten.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import {
  bulkhead,
  CircuitState,
  CountBreaker,
  circuitBreaker,
  handleWhenResult,
  isBrokenCircuitError,
  isBulkheadRejectedError,
} from 'cockatiel';
import { type Dispatcher, Pool } from 'undici';
import { systemClock } from '../kernel/clock.ts';

export type UpstreamRequest = {
  /** For metrics: `vend`, `query`, `balance` … */
  readonly operation: string;
  readonly method: 'GET' | 'POST';
  /** Appended to the path of the base URL; begins with a slash. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
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
   * Calls that may wait for a connection; one more is answered `not_sent`. Default: ten for each
   * connection.
   */
  readonly waitingMax?: number;
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

type UpstreamCallOptions = {
  readonly signal?: AbortSignal | undefined;
  /**
   * A request not written by then never is, whatever held it up: the queue, or this whole process.
   * Only a time shorter than `waitMs` changes anything.
   */
  readonly sendWithinMs?: number | undefined;
};

export type Upstream = {
  call(request: UpstreamRequest, options?: UpstreamCallOptions): Promise<CallResult>;
  breakerState(): BreakerState;
  /** Cuts what is under way; those calls answer `lost` or `not_sent`. Drain before. */
  [Symbol.asyncDispose](): Promise<void>;
};

/** A `waitingMax` so large that only `waitMs` bounds the wait. It is for calls to providers. */
export const WAITING_BY_TIME = 10_000;
/** The default of `waitMs`. */
export const WAIT_MS = 5_000;

const RESPONSE_BYTES_MAX = 1024 * 1024;
/** Well within the wait: a host that does not answer is its own fault and not our queue's. */
const CONNECT_TIMEOUT_MS = 3_000;
const WAITING_PER_CONNECTION = 10;
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
  // After it said that it gets too many calls.
  let pausedUntil = 0;
  const gate = bulkhead(connectionsMax, settings.waitingMax ?? connectionsMax * WAITING_PER_CONNECTION);

  const dispatch = async (request: UpstreamRequest, exchange: Exchange): Promise<Exchange> => {
    exchange.dispatched = true;
    pool.dispatch(
      {
        method: request.method,
        path: prefix + request.path,
        headers: request.body ? { ...request.headers, 'content-type': 'application/json' } : request.headers,
        body: request.body ? JSON.stringify(request.body) : null,
      },
      exchange,
    );
    await exchange.result;
    if (exchange.pauseMs > 0) pausedUntil = systemClock.elapsedMs() + exchange.pauseMs;
    return exchange;
  };

  const guarded = async (request: UpstreamRequest, exchange: Exchange): Promise<void> => {
    if (exchange.settled || exchange.giveUpLate()) return;
    if (!(await exchange.waitsUntil(pausedUntil))) return exchange.fail('it gets too many calls');
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

  return {
    call: async (request, options) => {
      const startedAt = performance.now();
      const sendWithinMs = Math.min(options?.sendWithinMs ?? waitMs, waitMs);
      const exchange = new Exchange(sendWithinMs, deadlineMs);
      const sendTimer = setTimeout(() => exchange.giveUpUnsent(), sendWithinMs);
      const onAbort = (): void => exchange.giveUp('the caller stopped waiting');
      options?.signal?.addEventListener('abort', onAbort);
      if (options?.signal?.aborted) onAbort();
      const passed = gate
        .execute(() => guarded(request, exchange))
        .catch((error: unknown) => exchange.fail(refusalWord(error)));
      const result = await exchange.result;
      // The breaker knows of an answer before its caller does.
      if (exchange.dispatched) await passed;
      clearTimeout(sendTimer);
      options?.signal?.removeEventListener('abort', onAbort);
      onCall?.({
        provider,
        operation: request.operation,
        outcome: result.kind,
        latencyMs: performance.now() - startedAt,
      });
      return result;
    },

    breakerState: () => {
      if (systemClock.elapsedMs() < pausedUntil) return 'open';
      if (breaker.state === CircuitState.Closed) return 'closed';
      const probes = breaker.state === CircuitState.HalfOpen || systemClock.elapsedMs() >= probeAt;
      return probes ? 'half_open' : 'open';
    },

    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

/** One request and what became of it. The first thing that settles it stands. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<CallResult>;
  settled = false;
  /** How long the upstream wants no more calls. */
  pauseMs = 0;
  /** It was given to the pool. */
  dispatched = false;
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

  /** False, at once, where it would be too late to send by then. */
  async waitsUntil(atMs: number): Promise<boolean> {
    const ms = atMs - systemClock.elapsedMs();
    if (ms <= 0) return true;
    if (systemClock.elapsedMs() + ms - this.#askedAt > this.#sendWithinMs) return false;
    await Promise.race([sleep(ms), this.result]);
    return true;
  }

  /** Stops waiting for its turn; one that was written goes on. */
  giveUpUnsent(): void {
    if (this.#controller === undefined) this.fail('held up too long to be sent');
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
  if (isBulkheadRejectedError(error)) return 'too many calls are waiting';
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
