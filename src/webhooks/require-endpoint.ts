/** Finds the endpoint that an operator named. */
import type { Sql, Tx } from '../db/database.ts';
import { OperationError } from '../kernel/errors.ts';
import type { EndpointRow } from './endpoint.ts';
import { findEndpoint, lockEndpoint } from './endpoint-store.ts';

/** Throws OperationError `no_webhook_endpoint`. */
export async function findNamedEndpoint(sql: Sql, id: string): Promise<EndpointRow> {
  return requireFound(await findEndpoint(sql, id.toLowerCase()), id);
}

/** Locked until the transaction ends. Throws OperationError `no_webhook_endpoint`. */
export async function lockNamedEndpoint(tx: Tx, id: string): Promise<EndpointRow> {
  return requireFound(await lockEndpoint(tx, id.toLowerCase()), id);
}

function requireFound(endpoint: EndpointRow | undefined, id: string): EndpointRow {
  if (endpoint === undefined) throw new OperationError({ code: 'no_webhook_endpoint', endpoint: id });
  return endpoint;
}
