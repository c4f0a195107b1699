/**
 * Calls an upstream over HTTP, for every connector: a pool of kept-alive connections, a limit on
 * concurrent calls with a bounded queue before it, a circuit breaker, a deadline. It never throws
 * and never resends.
 *
 * It guarantees the difference between two kinds of silence. `not_sent`: the HTTP client never
 * wrote a byte of this request to a socket. `lost`: it may have written some, and no readable
 * answer came back. The proof is not the error's code but the client's own hook, which is called
 * just before it writes. A request whose `onRequestStart` never ran was never written. A request
 * that was given up earlier is refused in that hook, and so is never written.
 */
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
  | { readonly kind: 'not_sent'; readonly reason: string }
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
  /** The longest a call can take, waiting included. */
  readonly deadlineMs: number;
  readonly breaker?: BreakerSettings;
  /** The largest answer that is read; a larger one is `lost`. Default: 1 MiB. */
  readonly responseBytesMax?: number;
  readonly onCall?: (event: CallEvent) => void;
};

type BreakerSettings = {
  /**
   * The breaker opens when more than half of the last `window` calls failed: no answer, or HTTP
   * 5xx.
   */
  readonly window: number;
  /** How long it stays open before one call is let through as a probe. */
  readonly probeAfterMs: number;
};

type UpstreamCallOptions = {
  readonly signal?: AbortSignal | undefined;
  /**
   * A request that is not written by then is never written, whatever held it up: the queue, or the
   * whole process. Default: the deadline.
   */
  readonly sendWithinMs?: number | undefined;
};

export type Upstream = {
  call(request: UpstreamRequest, options?: UpstreamCallOptions): Promise<CallResult>;
  breakerState(): BreakerState;
  /** Cuts off the calls that are running: they answer `lost` or `not_sent`. Wait for them first. */
  [Symbol.asyncDispose](): Promise<void>;
};

/**
 * A `waitingMax` so large that only the deadline limits the wait. For calls to providers: how many
 * purchases may wait is limited before they are stored.
 */
export const WAITING_UNTIL_DEADLINE = 10_000;

const RESPONSE_BYTES_MAX = 1024 * 1024;
const CONNECT_TIMEOUT_MS = 5_000;
const WAITING_PER_CONNECTION = 10;
const BREAKER: BreakerSettings = { window: 20, probeAfterMs: 2_000 };

export function openUpstream(settings: UpstreamSettings): Upstream {
  const { provider, connectionsMax, deadlineMs, onCall } = settings;
  const base = new URL(settings.baseUrl);
  const prefix = base.pathname.replace(/\/+$/, '');
  const pool = new Pool(base.origin, {
    connections: connectionsMax,
    // One request on a connection at a time. Behind a pipelined one that breaks, undici would send
    // the rest again.
    pipelining: 1,
    allowH2: false,
    connectTimeout: Math.min(CONNECT_TIMEOUT_MS, deadlineMs),
    // The deadline below bounds the whole exchange.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: settings.responseBytesMax ?? RESPONSE_BYTES_MAX,
  });
  const { window, probeAfterMs } = settings.breaker ?? BREAKER;
  const breaker = circuitBreaker(
    handleWhenResult((result) => isFault(result as CallResult)),
    { breaker: new CountBreaker({ threshold: 0.5, size: window }), halfOpenAfter: probeAfterMs },
  );
  const gate = bulkhead(connectionsMax, settings.waitingMax ?? connectionsMax * WAITING_PER_CONNECTION);

  const dispatch = (request: UpstreamRequest, exchange: Exchange): Promise<CallResult> => {
    pool.dispatch(
      {
        method: request.method,
        path: prefix + request.path,
        headers: request.body ? { ...request.headers, 'content-type': 'application/json' } : request.headers,
        body: request.body ? JSON.stringify(request.body) : null,
      },
      exchange,
    );
    return exchange.result;
  };

  const guarded = async (request: UpstreamRequest, exchange: Exchange): Promise<void> => {
    if (exchange.settled || exchange.giveUpLate()) return;
    // The library would hold every other call until the probe is back. Ours are refused at once.
    if (breaker.state === CircuitState.HalfOpen) return exchange.fail('breaker open, one call is probing');
    await breaker.execute(() => dispatch(request, exchange));
  };

  return {
    call: async (request, options) => {
      const startedAt = performance.now();
      const sendWithinMs = Math.min(options?.sendWithinMs ?? deadlineMs, deadlineMs);
      const exchange = new Exchange(sendWithinMs);
      const timer = setTimeout(() => exchange.giveUp(`no answer within ${deadlineMs} ms`), deadlineMs);
      const sendTimer = setTimeout(() => exchange.giveUpUnsent(), sendWithinMs);
      const onAbort = (): void => exchange.giveUp('the caller stopped waiting');
      options?.signal?.addEventListener('abort', onAbort);
      if (options?.signal?.aborted) onAbort();
      gate
        .execute(() => guarded(request, exchange))
        .catch((error: unknown) => exchange.fail(refusalWord(error)));
      const result = await exchange.result;
      clearTimeout(timer);
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
      if (breaker.state === CircuitState.Closed) return 'closed';
      return breaker.state === CircuitState.HalfOpen ? 'half_open' : 'open';
    },

    [Symbol.asyncDispose]: () => pool.destroy(),
  };
}

/**
 * Whether the upstream failed. An answer, even an unreadable one, shows that it works, unless its
 * status is 5xx.
 */
function isFault(result: CallResult): boolean {
  if (result.kind === 'not_sent') return true;
  return result.status === undefined || result.status >= 500;
}

/** One request and its result. The first result stands. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly result: Promise<CallResult>;
  settled = false;
  readonly #resolve: (result: CallResult) => void;
  /** Set just before the first byte is written. */
  #controller: Dispatcher.DispatchController | undefined;
  #status = 0;
  readonly #chunks: Buffer[] = [];
  readonly #sendWithinMs: number;
  readonly #askedAt = performance.now();
  readonly #askedAtByTheWall = Date.now();

  constructor(sendWithinMs: number) {
    this.#sendWithinMs = sendWithinMs;
    const { promise, resolve } = Promise.withResolvers<CallResult>();
    this.result = promise;
    this.#resolve = resolve;
  }

  /** Stops waiting. A request that was written is cut off; one that was not is never written. */
  giveUp(reason: string): void {
    this.fail(reason);
    this.#controller?.abort(new Error(reason));
  }

  /** Gives up a request that is not written yet. One that was written goes on. */
  giveUpUnsent(): void {
    if (this.#controller === undefined) this.fail('held up too long to be sent');
  }

  /**
   * Gives the request up when it is too late to send it, and says so. A timer alone is not enough:
   * in a process that was stopped and continues, answers are read before timers run, and each
   * answer lets the next request go. One clock is not enough either: the clock of timers stands
   * still while the machine sleeps, and the other one can be set.
   */
  giveUpLate(): boolean {
    const waitedMs = Math.max(performance.now() - this.#askedAt, Date.now() - this.#askedAtByTheWall);
    const late = waitedMs > this.#sendWithinMs;
    if (late) this.giveUpUnsent();
    return late;
  }

  /** Ends the request without an answer: `not_sent` if nothing was written, else `lost`. */
  fail(reason: string): void {
    this.#settle(this.#controller === undefined ? { kind: 'not_sent', reason } : { kind: 'lost', reason });
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.settled || this.#controller !== undefined || this.giveUpLate()) {
      // Given up while it waited for a connection, or about to be written a second time: neither
      // may happen.
      controller.abort(new Error('given up before it was sent'));
      return;
    }
    this.#controller = controller;
  }

  onResponseStart(_controller: Dispatcher.DispatchController, statusCode: number): void {
    this.#status = statusCode;
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const status = this.#status;
    try {
      const body: unknown = JSON.parse(Buffer.concat(this.#chunks).toString('utf8'));
      this.#settle({ kind: 'reply', status, body });
    } catch {
      this.#settle({ kind: 'lost', reason: `HTTP ${status} with a body that is not JSON`, status });
    }
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(errorWord(error));
  }

  #settle(result: CallResult): void {
    this.settled = true;
    this.#resolve(result);
  }
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
