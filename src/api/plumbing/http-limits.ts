/** Bounds on what a connection may cost. Times are in milliseconds, sizes in bytes. */
export type HttpLimits = {
  /** A longer request body is refused with 400. */
  readonly bodyBytesMax: number;
  /** How much of a refused body is still read, so that its sender gets to see the refusal. */
  readonly drainBytesMax: number;
  readonly headerBytesMax: number;
  readonly headersTimeoutMs: number;
  /** For the whole request to arrive, its body included. */
  readonly requestTimeoutMs: number;
  readonly keepAliveTimeoutMs: number;
  /**
   * Without a byte either way. Below the longest wait for a sync purchase it would cut off answers.
   */
  readonly connectionTimeoutMs: number;
  /** How long an agent waits for a purchase before it is told that it is pending. */
  readonly agentWaitMs: number;
  /**
   * Which proxies may say who the client is, as Fastify's `trustProxy`; false: the socket's address
   * counts.
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
  // Above the longest sync deadline that can be set (10 min).
  connectionTimeoutMs: 660_000,
  // Clients of MCP give a call 60 s as a rule.
  agentWaitMs: 20_000,
  trustProxy: false,
};
