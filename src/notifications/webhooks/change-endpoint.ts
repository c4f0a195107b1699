/** Creates, changes, enables, disables and deletes a merchant's endpoint. */

import type { ActorOrName } from '../../core/actor.ts';
import { GatewayError } from '../../core/errors.ts';
import { newId } from '../../core/ids.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Tx } from '../../db/database.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { EventType } from '../events/event.ts';
import { lockFeedEnd } from '../events/event-store.ts';
import { checkUrl, type UrlRules } from './address-guard.ts';
import {
  ENDPOINTS_MAX,
  type EndpointOwner,
  type EndpointRow,
  type EndpointTerms,
  payloadVersion,
  secretPlace,
} from './endpoint.ts';
import {
  countEndpoints,
  deleteEndpoint,
  insertEndpoint,
  lockEndpoint,
  markDisabled,
  markEnabled,
  updateTerms,
} from './endpoint-store.ts';
import { requireEndpoint } from './require-endpoint.ts';
import { newSecret } from './signature.ts';

/** Absent properties stay as they are. */
export type EndpointChange = {
  readonly [Name in keyof WantedEndpoint]?: WantedEndpoint[Name] | undefined;
} & { readonly state?: EndpointRow['state'] | undefined };

/** Changes an endpoint. Throws GatewayError: `no_endpoint`, `endpoint_url_refused`. */
export async function changeEndpoint(
  tx: Tx,
  rules: UrlRules,
  owner: EndpointOwner,
  change: EndpointChange & { readonly id: string },
  actor: ActorOrName,
): Promise<EndpointRow> {
  const { id, state } = change;
  const before = await requireEndpoint(tx, owner, id);
  const terms = termsOf(before);
  const wanted: EndpointTerms = {
    url: change.url === undefined ? before.url : requireUrl(change.url, owner, rules),
    types: change.types ?? terms.types,
    description: change.description ?? terms.description,
    withGoods: change.withGoods ?? terms.withGoods,
  };
  if (JSON.stringify(describeTerms(wanted)) !== JSON.stringify(describeTerms(terms))) {
    await updateTerms(tx, before, wanted);
    await recordOperation(tx, {
      actor,
      action: 'webhook.change',
      subject: `webhook:${id}`,
      before: describeTerms(terms),
      after: describeTerms(wanted),
    });
  }
  if (state !== undefined)
    await setEndpointState(tx, before, { state, reason: 'disabled by the merchant' }, actor);
  return await requireEndpoint(tx, owner, id);
}

/**
 * Enables or disables an endpoint, which must be locked. False if the endpoint has that state
 * already.
 */
export async function setEndpointState(
  tx: Tx,
  { id, merchant_id, state: before, reason }: EndpointRow,
  wanted: { readonly state: 'enabled' | 'disabled'; readonly reason: string },
  actor: ActorOrName,
): Promise<boolean> {
  if (before === wanted.state) return false;
  if (wanted.state === 'enabled') await markEnabled(tx, { id, merchant_id });
  else await markDisabled(tx, { id, merchant_id }, wanted.reason);
  await recordOperation(tx, {
    actor,
    action: wanted.state === 'enabled' ? 'webhook.enable' : 'webhook.disable',
    subject: `webhook:${id}`,
    before: { state: before, reason },
    after: { state: wanted.state, reason: wanted.state === 'enabled' ? null : wanted.reason },
  });
  return true;
}

/** Deletes an endpoint. Throws GatewayError `no_endpoint`. */
export async function removeEndpoint(
  tx: Tx,
  owner: EndpointOwner,
  id: string,
  actor: ActorOrName,
): Promise<void> {
  const before = await requireEndpoint(tx, owner, id);
  await deleteEndpoint(tx, before);
  const { merchantCode: merchant, environment } = owner;
  await recordOperation(tx, {
    actor,
    action: 'webhook.delete',
    subject: `webhook:${id}`,
    before: { merchant, environment, ...describeTerms(termsOf(before)) },
  });
}

function termsOf({ url, types, description, with_goods: withGoods }: EndpointRow): EndpointTerms {
  return { url, types, description, withGoods };
}

export type WantedEndpoint = {
  readonly url: string;
  readonly types?: readonly EventType[] | undefined;
  readonly description?: string | undefined;
  readonly withGoods?: boolean | undefined;
};

/**
 * Creates an endpoint and returns its secret. Throws GatewayError: `endpoint_url_refused`,
 * `endpoints_full`.
 */
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
  // The lock serializes concurrent calls, so the count is exact.
  const position = await lockFeedEnd(tx, owner);
  if ((await countEndpoints(tx, owner)) >= ENDPOINTS_MAX) {
    throw new GatewayError({ code: 'endpoints_full', max: ENDPOINTS_MAX });
  }
  const [id, secret] = [newId(), newSecret()];
  const sealed = parts.sealer.seal(secretPlace(id), secret);
  await insertEndpoint(tx, owner, { ...terms, id, version: payloadVersion, secret: sealed, position });
  const endpoint = await requireLocked(tx, id, owner.merchantId);
  await recordOperation(tx, {
    actor,
    action: 'webhook.create',
    subject: `webhook:${id}`,
    after: { merchant: owner.merchantCode, environment: owner.environment, ...describeTerms(terms) },
  });
  return { endpoint, secret };
}

/** Throws GatewayError `endpoint_url_refused`. */
function requireUrl(url: string, { environment }: EndpointOwner, rules: UrlRules): string {
  const checked = checkUrl(url, environment, rules);
  if ('fault' in checked) throw new GatewayError({ code: 'endpoint_url_refused', why: checked.fault });
  return checked.url;
}

/** For the audit log. */
function describeTerms({ url, types, description, withGoods }: EndpointTerms): Record<string, unknown> {
  return { url, types, description, with_goods: withGoods };
}

async function requireLocked(tx: Tx, id: string, merchantId: number): Promise<EndpointRow> {
  const endpoint = await lockEndpoint(tx, id, merchantId);
  if (endpoint === undefined) throw new GatewayError({ code: 'no_endpoint' });
  return endpoint;
}
