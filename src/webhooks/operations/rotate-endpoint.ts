/** Gives a webhook endpoint a new secret, for an operator whom its merchant asked. */
import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { formatRfc3339, parseDuration } from '../../kernel/clock.ts';
import { admins, defineOperation } from '../../kernel/operation.ts';
import { inputOf, overlapField, timeOrNull } from '../../kernel/operation-fields.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import { endpointFields } from '../endpoint-answer.ts';
import { lockNamedEndpoint } from '../require-endpoint.ts';
import { rotateSecret } from '../rotate-secret.ts';

export const rotateEndpointOperation = defineOperation({
  name: 'webhook.rotate',
  kind: 'act',
  summary: 'give a webhook endpoint another secret; the old one signs too for the overlap',
  roles: admins,
  portal: { roles: ['developer'] },
  route: 'POST /webhooks/{endpoint}/rotate',
  document: 'operators/webhooks.md',
  showsSecret: true,
  input: inputOf({ ...endpointFields, overlap: overlapField }),
  output: Type.Object({
    endpoint: Type.String(),
    secret: Type.String(),
    old_secret_ends_at: timeOrNull,
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
