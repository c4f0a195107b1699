/**
 * A job of the load generator, and its result. Plain data: it crosses between two processes.
 */
export type Credential = { readonly key: string; readonly secret: string; readonly merchant: string };

/**
 * Purchase number n of a run. Its reference, number and network are derived from n, so that it can
 * be looked up later.
 */
export type Purchases = {
  readonly kind: 'purchases';
  readonly path: '/v1/transactions/airtime/sync' | '/v1/transactions/airtime/async';
  readonly run: string;
  /** The first value of n. */
  readonly from: number;
  readonly networks: readonly string[];
  /** One number for all of them, instead of many. */
  readonly msisdn?: string;
  /** In naira; default 10. */
  readonly amount?: string;
};

/** Bills, all of one customer; purchase n has the reference that follows from n. */
export type Bills = {
  readonly kind: 'bills';
  readonly run: string;
  /** The first value of n. */
  readonly from: number;
  /** Fields besides merchant and reference. */
  readonly bill: Bill;
};

export type Bill = Readonly<Record<'product' | 'network' | 'plan_code' | 'msisdn' | 'amount', string>> & {
  readonly phone?: string;
};

export type Lookups = { readonly kind: 'lookups'; readonly paths: readonly string[] };

export type Pace =
  /**
   * Each connection sends its next request when it has its answer, until `count` are sent or the
   * time is over, whichever comes last. With `pauseMs` it waits that long before every request
   * except the first.
   */
  | {
      readonly kind: 'closed';
      readonly count?: number;
      readonly seconds: number;
      readonly pauseMs?: number;
    }
  /**
   * Requests are sent on a fixed schedule, whatever the answers, and their times count from when
   * they were due.
   */
  | { readonly kind: 'open'; readonly perSecond: number; readonly seconds: number };

export type LoadJob = {
  readonly port: number;
  /** Addresses of other gateways: the connections are distributed among all of them. */
  readonly otherPorts?: readonly number[];
  readonly connections: number;
  /** Used in rotation. */
  readonly credentials: readonly Credential[];
  readonly requests: Purchases | Bills | Lookups;
  readonly pace: Pace;
  /**
   * An answer is successful if it is a 200 whose body contains this text. Everything else is an
   * error.
   */
  readonly expect: string;
};

export type LoadResult = {
  readonly sent: number;
  readonly good: number;
  /** From the first request to the last answer. */
  readonly seconds: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly max: number };
  /** How long the machine itself was paused meanwhile: 0 on a machine that never pauses. */
  readonly stoodStillMs: number;
  /** Errors by text, with their number. */
  readonly errors: Readonly<Record<string, number>>;
};

/** The reference of purchase n. */
export function referenceOf(run: string, n: number): string {
  return `${run}-${String(n).padStart(9, '0')}`;
}

/** Returns the number of purchase n: spread over ten million, without test numbers that fail. */
export function msisdnOf(n: number): string {
  // A step that has no common factor with the modulus reaches each number once before repeating
  // any.
  return `0803${String((n * 7_368_787) % 10_000_000).padStart(7, '0')}`;
}
