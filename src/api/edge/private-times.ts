/**
 * The times of the listeners that are not the merchants': the admin API, the console, the portal.
 * In milliseconds, as options of Fastify. Nobody who is slow or gone keeps a connection.
 */
export const privateTimes = {
  /** For a whole request to arrive. */
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  /** Without a byte either way. An operation that is answered later than this is a task. */
  connectionTimeout: 660_000,
  http: { headersTimeout: 10_000, connectionsCheckingInterval: 5_000 },
} as const;
