/** Sends one statement over a connection, and ends the connection where no answer comes. */
import type pg from 'pg';

type Result = pg.QueryResult | pg.QueryResult[];

/**
 * An answer that has not come after `answerTimeoutMs` ends the connection, and so whatever else
 * waits on it; undefined: it may take as long as it needs.
 */
export async function sendQuery(
  client: pg.ClientBase,
  config: pg.QueryConfig,
  answerTimeoutMs: number | undefined,
): Promise<Result> {
  if (answerTimeoutMs === undefined) return await client.query(config);
  const timer = setTimeout(() => streamOf(client).destroy(new Error('Query read timeout')), answerTimeoutMs);
  try {
    return await client.query(config);
  } finally {
    clearTimeout(timer);
  }
}

/** Below the connection. */
export function streamOf(client: pg.ClientBase): pg.Connection['stream'] {
  return (client as unknown as Pick<pg.Client, 'connection'>).connection.stream;
}
