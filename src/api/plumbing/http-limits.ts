/** Limits on the cost of a connection. Times are in milliseconds, sizes in bytes. */
export type HttpLimits = {
  /** A longer request body is refused with 400. */
  readonly bodyBytesMax: number;
  /** How much of a refused body is still read, so that its client receives the refusal. */
  readonly drainBytesMax: number;
  readonly headerBytesMax: number;
  readonly headersTimeoutMs: number;
  /** How long a whole request with its body may take to arrive. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /**
   * How long a connection may be silent. A value below the longest wait for a sync purchase would
   * cut off answers.
   */
  readonly connectionTimeoutMs: number;
  /** How long an agent waits for a purchase before it is answered that the purchase is pending. */
  readonly agentWaitMs: number;
  /**
   * The proxies that may name the client, as Fastify's `trustProxy`. False: the client is the
   * socket's address.
   */
  readonly trustProxy: boolean | string;
};

export const defaultHttpLimits: HttpLimits = {
  bodyBytesMax: 65_536,
  drainBytesMax: 16 * 1_048_576,
  headerBytesMax: 16_384,
  headersTimeoutMs: 10_000,
  requestTimeoutMs: 30_000,
  // Longer than the idle time of common load balancers (60 s), so that they close first and no
  // request meets a closing socket.
  keepAliveTimeoutMs: 75_000,
  // Longer than the longest sync deadline that can be set (10 min).
  connectionTimeoutMs: 660_000,
  // Clients of MCP usually give a call 60 s.
  agentWaitMs: 20_000,
  trustProxy: false,
};
