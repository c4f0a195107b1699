/** Creates, changes and deletes webhook endpoints, and rotates their secrets. */

import { Type } from 'typebox';
import { formatRfc3339, parseDuration } from '../../../core/clock.ts';
import { admins, defineOperation } from '../../../core/operation.ts';
import {
  environmentField,
  inputOf,
  merchantField,
  nullableTime,
  overlapField,
} from '../../../core/operation-fields.ts';
import type { Sealer } from '../../../core/sealing.ts';
import { requireMerchant } from '../../../merchants/require-merchant.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import type { UrlRules } from '../address-guard.ts';
import { changeEndpoint, createEndpoint, removeEndpoint } from '../change-endpoint.ts';
import {
  changedTermsFields,
  endpointAnswer,
  endpointFields,
  endpointOutput,
  readTerms,
  termsFields,
} from '../endpoint-answer.ts';
import { withOperationErrors } from '../operation-errors.ts';
import { lockNamedEndpoint, ownerOf } from '../require-endpoint.ts';
import { rotateSecret } from '../secrets.ts';

export const changeEndpointOperation = defineOperation({
  name: 'webhook.change',
  kind: 'act',
  summary:
    'change the URL, the event types or the description of a webhook endpoint; absent fields are unchanged',
  roles: admins,
  portal: { roles: ['developer'] },
  route: 'PATCH /webhooks/{endpoint}',
  document: 'operators/webhooks.md',
  input: inputOf({ ...endpointFields, ...changedTermsFields }),
  output: endpointOutput,
  run: async (
    { tx, actor, webhookRules: rules }: Acting & { readonly webhookRules: UrlRules },
    { endpoint, merchant, url, ...terms },
  ) => {
    const before = await lockNamedEndpoint(tx, { endpoint, merchant });
    const change = { ...readTerms(terms), url, id: before.id };
    return endpointAnswer(
      await withOperationErrors({ endpoint }, () =>
        changeEndpoint(tx, rules, ownerOf(before), change, actor),
      ),
    );
  },
});

export const deleteEndpointOperation = defineOperation({
  name: 'webhook.delete',
  kind: 'act',
  summary: 'permanently delete a webhook endpoint; its deliveries are kept',
  roles: admins,
  portal: { roles: ['developer'] },
  route: 'DELETE /webhooks/{endpoint}',
  document: 'operators/webhooks.md',
  confirm: 'Permanently delete this webhook endpoint? No further events will be sent to it.',
  input: inputOf(endpointFields),
  output: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }),
  run: async ({ tx, actor }: Acting, { endpoint, merchant }) => {
    const before = await lockNamedEndpoint(tx, { endpoint, merchant });
    await withOperationErrors({ endpoint }, () => removeEndpoint(tx, ownerOf(before), before.id, actor));
    return { id: before.id, deleted: true as const };
  },
});

export const rotateEndpointOperation = defineOperation({
  name: 'webhook.rotate',
  kind: 'act',
  summary: 'rotate the secret of a webhook endpoint; the old secret also signs during the overlap',
  roles: admins,
  portal: { roles: ['developer'] },
  route: 'POST /webhooks/{endpoint}/rotate',
  document: 'operators/webhooks.md',
  showsSecret: true,
  input: inputOf({ ...endpointFields, overlap: overlapField }),
  output: Type.Object({
    endpoint: Type.String(),
    secret: Type.String(),
    old_secret_ends_at: nullableTime,
  }),
  run: async (
    { tx, actor, sealer }: Acting & { readonly sealer: () => Promise<Sealer> },
    { endpoint: id, merchant, overlap },
  ) => {
    const endpoint = await lockNamedEndpoint(tx, { endpoint: id, merchant });
    const overlapMs = parseDuration(overlap) ?? 0;
    const { secret, oldEndsAt } = await rotateSecret(tx, await sealer(), endpoint, overlapMs, actor);
    return {
      endpoint: endpoint.id,
      secret,
      old_secret_ends_at: oldEndsAt === undefined ? null : formatRfc3339(oldEndsAt),
    };
  },
});

type Needs = Acting & { readonly sealer: () => Promise<Sealer>; readonly webhookRules: UrlRules };

export const createEndpointOperation = defineOperation({
  name: 'webhook.create',
  kind: 'act',
  summary: 'create a webhook endpoint for a merchant; its secret is shown once',
  roles: admins,
  portal: { roles: ['developer'] },
  route: 'POST /merchants/{merchant}/webhooks',
  document: 'operators/webhooks.md',
  showsSecret: true,
  input: inputOf({ merchant: merchantField, environment: environmentField, ...termsFields }),
  output: Type.Object({ ...endpointOutput.properties, secret: Type.String() }),
  run: async (
    { tx, actor, sealer, webhookRules: rules }: Needs,
    { merchant: code, environment, url, ...terms },
  ) => {
    const keys = await sealer();
    const { id: merchantId, code: merchantCode } = await requireMerchant(tx, code);
    const owner = { merchantId, merchantCode, environment };
    const wanted = { ...readTerms(terms), url };
    const { endpoint, secret } = await withOperationErrors({}, () =>
      createEndpoint(tx, { sealer: keys, rules }, owner, wanted, actor),
    );
    return { ...endpointAnswer(endpoint), secret };
  },
});
