/** Changes an endpoint of a merchant, disables it, enables it again, or deletes it. */
import { recordOperation } from '../audit-log/audit-log-store.ts';
import type { Tx } from '../db/database.ts';
import type { ActorOrName } from '../kernel/actor.ts';
import { describeTerms, requireUrl, type WantedEndpoint } from './create-endpoint.ts';
import type { EndpointOwner, EndpointRow, EndpointTerms } from './endpoint.ts';
import { deleteEndpoint, markDisabled, markEnabled, updateTerms } from './endpoint-store.ts';
import type { UrlRules } from './judge-url.ts';
import { requireEndpoint } from './require-endpoint.ts';

/** What is absent stays. */
export type EndpointChange = {
  readonly [Name in keyof WantedEndpoint]?: WantedEndpoint[Name] | undefined;
} & { readonly state?: EndpointRow['state'] | undefined };

/** Throws GatewayError: `no_endpoint`, `endpoint_url_refused`. */
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
    await updateTerms(tx, id, wanted);
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

/** The endpoint must be locked. False where it is so already. */
export async function setEndpointState(
  tx: Tx,
  { id, state: before, reason }: EndpointRow,
  wanted: { readonly state: 'enabled' | 'disabled'; readonly reason: string },
  actor: ActorOrName,
): Promise<boolean> {
  if (before === wanted.state) return false;
  if (wanted.state === 'enabled') await markEnabled(tx, id);
  else await markDisabled(tx, id, wanted.reason);
  await recordOperation(tx, {
    actor,
    action: wanted.state === 'enabled' ? 'webhook.enable' : 'webhook.disable',
    subject: `webhook:${id}`,
    before: { state: before, reason },
    after: { state: wanted.state, reason: wanted.state === 'enabled' ? null : wanted.reason },
  });
  return true;
}

/** Throws GatewayError `no_endpoint`. */
export async function removeEndpoint(
  tx: Tx,
  owner: EndpointOwner,
  id: string,
  actor: ActorOrName,
): Promise<void> {
  const before = await requireEndpoint(tx, owner, id);
  await deleteEndpoint(tx, id);
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
