/** Makes an endpoint: it is told of all that is committed from now on. */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Tx } from '../db/database.ts';
import type { EventType } from '../events/event.ts';
import { lockFeedEnd } from '../events/event-store.ts';
import type { ActorOrName } from '../kernel/actor.ts';
import { GatewayError } from '../kernel/errors.ts';
import { newId } from '../kernel/ids.ts';
import type { Sealer } from '../kernel/sealing.ts';
import {
  ENDPOINTS_MAX,
  type EndpointOwner,
  type EndpointRow,
  type EndpointTerms,
  payloadVersion,
  secretPlace,
} from './endpoint.ts';
import { countEndpoints, insertEndpoint, lockEndpoint } from './endpoint-store.ts';
import { judgeUrl, type UrlRules } from './judge-url.ts';
import { newSecret } from './signature.ts';

export type WantedEndpoint = {
  readonly url: string;
  readonly types?: readonly EventType[] | undefined;
  readonly description?: string | undefined;
  readonly withGoods?: boolean | undefined;
};

/** Throws GatewayError: `endpoint_url_refused`, `endpoints_full`. */
export async function createEndpoint(
  tx: Tx,
  parts: { readonly sealer: Pick<Sealer, 'seal'>; readonly rules: UrlRules },
  owner: EndpointOwner,
  wanted: WantedEndpoint,
  actor: ActorOrName,
): Promise<{ readonly endpoint: EndpointRow; readonly secret: string }> {
  const terms: EndpointTerms = {
    url: requireUrl(wanted.url, owner, parts.rules),
    types: wanted.types ?? [],
    description: wanted.description ?? '',
    withGoods: wanted.withGoods ?? false,
  };
  // Two at once come in turn, and so count each other.
  const position = await lockFeedEnd(tx, owner);
  if ((await countEndpoints(tx, owner)) >= ENDPOINTS_MAX) {
    throw new GatewayError({ code: 'endpoints_full', max: ENDPOINTS_MAX });
  }
  const [id, secret] = [newId(), newSecret()];
  const sealed = parts.sealer.seal(secretPlace(id), secret);
  await insertEndpoint(tx, owner, { ...terms, id, version: payloadVersion, secret: sealed, position });
  const endpoint = await requireLocked(tx, id);
  await recordOperation(tx, {
    actor,
    action: 'webhook.create',
    subject: `webhook:${id}`,
    after: { merchant: owner.merchantCode, environment: owner.environment, ...describeTerms(terms) },
  });
  return { endpoint, secret };
}

/** Throws GatewayError `endpoint_url_refused`. */
export function requireUrl(url: string, { environment }: EndpointOwner, rules: UrlRules): string {
  const judged = judgeUrl(url, environment, rules);
  if ('fault' in judged) throw new GatewayError({ code: 'endpoint_url_refused', why: judged.fault });
  return judged.url;
}

/** For the audit log. */
export function describeTerms({
  url,
  types,
  description,
  withGoods,
}: EndpointTerms): Record<string, unknown> {
  return { url, types, description, with_goods: withGoods };
}

async function requireLocked(tx: Tx, id: string): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, id);
  if (endpoint === undefined) throw new GatewayError({ code: 'no_endpoint' });
  return endpoint;
}
