/**
 * Limits the wait for an unresponsive database: it counts as unavailable long before its own
 * timeouts end.
 */
import { GatewayError } from '../core/errors.ts';
import { timedOut, withTimeout } from '../core/with-timeout.ts';
import { DatabaseUnavailableError, isConnectionLost, isUnavailable } from './database-errors.ts';

/** How long a lookup waits for the database, in milliseconds. */
export const lookUpPatienceMs = 4_000;

/**
 * Returns the result of `work`, or rejects with DatabaseUnavailableError after a timeout. Only for
 * work that stores nothing.
 */
export async function answerSoon<T>(work: Promise<T>, withinMs = lookUpPatienceMs): Promise<T> {
  const answer = await withTimeout(withinMs, work);
  if (answer === timedOut) throw new DatabaseUnavailableError(`no answer within ${withinMs} ms`);
  return answer;
}

/**
 * For use in `catch`. Throws GatewayError `database_away` for a database that cannot be reached or
 * is too slow, and rethrows any other error.
 */
export function tellUnavailable(error: unknown): never {
  if (!isUnavailable(error) && !isConnectionLost(error)) throw error;
  throw new GatewayError({ code: 'database_away' });
}
