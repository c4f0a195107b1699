/**
 * The timeouts of the admin API, the console and the portal, in milliseconds, as options of
 * Fastify. They close the connections of slow or absent clients.
 */
export const privateTimes = {
  /** How long a whole request may take to arrive. */
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  /** How long a connection may be silent. An operation that takes longer runs as a task. */
  connectionTimeout: 660_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
} as const;
