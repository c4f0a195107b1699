/**
 * For requests that store no purchase, such as a look-up: a database that cannot be reached, or is
 * too slow, ends the request with a refusal that says so.
 */
import { GatewayError } from '../kernel/errors.ts';
import { isConnectionLost, isUnavailable } from './database-errors.ts';

/**
 * To be given to `catch`. Throws GatewayError `database_away` for a database that cannot be
 * reached or is too slow, and any other error unchanged.
 */
export function tellUnavailable(error: unknown): never {
  if (!isUnavailable(error) && !isConnectionLost(error)) throw error;
  throw new GatewayError({ code: 'database_away' });
}
