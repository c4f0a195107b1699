/**
 * Sends one statement over a connection.
 *
 * The driver's own promises and time-outs are not used. Both replace the callback of a query that
 * is made already, and with such a query in its old part V8 keeps all later ones, and all that was
 * in them, until it collects the whole heap: of 20,000 statements nearly every byte, where a
 * callback that the query is made with leaves a tenth.
 */
import pg from 'pg';

type Result = pg.QueryResult | pg.QueryResult[];
type Told = (error: Error | null, result: Result) => void;

/** What the types of the driver leave out: the callback. */
const Query = pg.Query as unknown as new (
  config: pg.QueryConfig,
  values: undefined,
  callback: Told,
) => pg.Submittable;

/**
 * An answer that has not come after `answerTimeoutMs` ends the connection, and so whatever else
 * waits on it; undefined: it may take as long as it needs.
 */
export function sendQuery(
  client: pg.ClientBase,
  config: pg.QueryConfig,
  answerTimeoutMs: number | undefined,
): Promise<Result> {
  return new Promise((resolve, reject) => {
    let timer: NodeJS.Timeout | undefined;
    const told: Told = (error, result) => {
      clearTimeout(timer);
      if (error) reject(error);
      else resolve(result);
    };
    client.query(new Query(config, undefined, told));
    if (answerTimeoutMs === undefined) return;
    // Of what was sent alone: it ends the connection.
    timer = setTimeout(() => {
      const late = new Error('Query read timeout');
      reject(late);
      streamOf(client).destroy(late);
    }, answerTimeoutMs);
  });
}

/** Below the connection. */
export function streamOf(client: pg.ClientBase): pg.Connection['stream'] {
  return (client as unknown as Pick<pg.Client, 'connection'>).connection.stream;
}
