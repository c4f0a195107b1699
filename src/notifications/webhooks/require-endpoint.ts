/**
 * Finds the endpoint that its owner or somebody of the operator named: of that merchant alone,
 * where one is named.
 */

import { GatewayError, OperationError } from '../../core/errors.ts';
import type { Sql, Tx } from '../../db/database.ts';
import type { EndpointOwner, EndpointRow } from './endpoint.ts';
import { findEndpoint, lockEndpoint } from './endpoint-store.ts';

/**
 * Locked until the transaction ends. Throws GatewayError `no_endpoint` for one that is not there,
 * or is not the owner's.
 */
export async function requireEndpoint(
  tx: Tx,
  { merchantId, environment }: Pick<EndpointOwner, 'merchantId' | 'environment'>,
  id: string,
): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint?.merchant_id !== merchantId || endpoint.environment !== environment) {
    throw new GatewayError({ code: 'no_endpoint' });
  }
  return endpoint;
}

type Named = { readonly endpoint: string; readonly merchant?: string | undefined };

/** Throws OperationError `no_webhook_endpoint`: for one of another merchant too. */
export async function findNamedEndpoint(sql: Sql, named: Named): Promise<EndpointRow> {
  return requireFound(await findEndpoint(sql, named.endpoint.toLowerCase()), named);
}

/**
 * Locked until the transaction ends. Throws OperationError `no_webhook_endpoint`: for one of
 * another merchant too.
 */
export async function lockNamedEndpoint(tx: Tx, named: Named): Promise<EndpointRow> {
  return requireFound(await lockEndpoint(tx, named.endpoint.toLowerCase()), named);
}

function requireFound(found: EndpointRow | undefined, { endpoint, merchant }: Named): EndpointRow {
  const isOther = merchant !== undefined && found?.merchant_code.toLowerCase() !== merchant.toLowerCase();
  if (found === undefined || isOther) throw new OperationError({ code: 'no_webhook_endpoint', endpoint });
  return found;
}

/** Whose it is. */
export function ownerOf({
  merchant_id: merchantId,
  merchant_code: merchantCode,
  environment,
}: EndpointRow): EndpointOwner {
  return { merchantId, merchantCode, environment };
}
