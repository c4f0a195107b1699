/** Finds the endpoint that a merchant or an operator names. */

import { GatewayError, OperationError } from '../../core/errors.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { EndpointOwner, EndpointRow } from './endpoint.ts';
import { findEndpoint, lockEndpoint } from './endpoint-store.ts';

/**
 * Locks an endpoint of the owner until the transaction ends. Throws GatewayError `no_endpoint` if
 * it does not exist or belongs to another owner.
 */
export async function requireEndpoint(
  tx: Tx,
  { merchantId, environment }: Pick<EndpointOwner, 'merchantId' | 'environment'>,
  id: string,
): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, id, merchantId);
  if (endpoint?.merchant_id !== merchantId || endpoint.environment !== environment) {
    throw new GatewayError({ code: 'no_endpoint' });
  }
  return endpoint;
}

type Named = { readonly endpoint: string; readonly merchant?: string | undefined };

/**
 * Finds an endpoint. Throws OperationError `no_webhook_endpoint`, also if it belongs to another
 * merchant than the named one.
 */
export async function findNamedEndpoint(sql: Sql, named: Named): Promise<EndpointRow> {
  return requireFound(await findEndpoint(sql, named.endpoint.toLowerCase()), named);
}

/**
 * Locks an endpoint until the transaction ends. Throws OperationError `no_webhook_endpoint`, also
 * if it belongs to another merchant than the named one.
 */
export async function lockNamedEndpoint(tx: Tx, named: Named): Promise<EndpointRow> {
  const id = named.endpoint.toLowerCase();
  const owner = tx.cells && requireFound(await findEndpoint(tx, id), named);
  return requireFound(await lockEndpoint(tx, id, owner?.merchant_id), named);
}

function requireFound(found: EndpointRow | undefined, { endpoint, merchant }: Named): EndpointRow {
  const isOther = merchant !== undefined && found?.merchant_code.toLowerCase() !== merchant.toLowerCase();
  if (found === undefined || isOther) throw new OperationError({ code: 'no_webhook_endpoint', endpoint });
  return found;
}

export function ownerOf({
  merchant_id: merchantId,
  merchant_code: merchantCode,
  environment,
}: EndpointRow): EndpointOwner {
  return { merchantId, merchantCode, environment };
}
