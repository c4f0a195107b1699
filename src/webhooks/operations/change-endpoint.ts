/** Changes a webhook endpoint of a merchant, or deletes it. */
import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { admins, defineOperation } from '../../kernel/operation.ts';
import { inputOf } from '../../kernel/operation-fields.ts';
import { changeEndpoint, removeEndpoint } from '../change-endpoint.ts';
import { endpointAnswer, endpointFields, endpointOutput } from '../endpoint-answer.ts';
import { changedTermsFields, readTerms } from '../endpoint-terms.ts';
import type { UrlRules } from '../judge-url.ts';
import { asOperation } from '../refuse-operation.ts';
import { lockNamedEndpoint, ownerOf } from '../require-endpoint.ts';

export const changeEndpointOperation = defineOperation({
  name: 'webhook.change',
  kind: 'act',
  summary: 'change the URL, the types of events or the words of a webhook endpoint; what is absent stays',
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
      await asOperation({ endpoint }, () => changeEndpoint(tx, rules, ownerOf(before), change, actor)),
    );
  },
});

export const deleteEndpointOperation = defineOperation({
  name: 'webhook.delete',
  kind: 'act',
  summary: 'delete a webhook endpoint for good; its deliveries can still be looked at',
  roles: admins,
  portal: { roles: ['developer'] },
  route: 'DELETE /webhooks/{endpoint}',
  document: 'operators/webhooks.md',
  confirm: 'Delete this webhook endpoint for good? Nothing more is sent to it.',
  input: inputOf(endpointFields),
  output: Type.Object({ id: Type.String(), deleted: Type.Literal(true) }),
  run: async ({ tx, actor }: Acting, { endpoint, merchant }) => {
    const before = await lockNamedEndpoint(tx, { endpoint, merchant });
    await asOperation({ endpoint }, () => removeEndpoint(tx, ownerOf(before), before.id, actor));
    return { id: before.id, deleted: true as const };
  },
});
