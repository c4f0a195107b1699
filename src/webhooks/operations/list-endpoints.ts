/** Lists the webhook endpoints of merchants, or those in trouble. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import {
  environmentsField,
  idField,
  inputOf,
  merchantField,
  pageFields,
  pageOf,
} from '../../kernel/operation-fields.ts';
import { pageOfRead } from '../../kernel/page.ts';
import { findByCode } from '../../merchants/find-by-code.ts';
import { endpointAnswer, endpointOutput } from '../endpoint-answer.ts';
import { listEndpoints } from '../endpoint-store.ts';

export const listEndpointsOperation = defineOperation({
  name: 'webhook.list',
  kind: 'question',
  summary: 'list webhook endpoints of merchants, and how they do',
  roles,
  portal: { roles: ['viewer', 'developer'] },
  route: 'GET /webhooks',
  document: 'operators/webhooks.md',
  input: inputOf({
    merchant: Type.Optional(merchantField),
    environment: environmentsField,
    troubled: Type.Optional(Type.Boolean({ description: 'true for those alone that fail or are disabled' })),
    limit: pageFields.limit,
    cursor: Type.Optional({ ...idField, description: 'the cursor of the page before' }),
  }),
  output: pageOf(endpointOutput),
  run: async ({ sql }: Asking, { merchant, environment, troubled = false, limit = 50, cursor }) => {
    const owner = merchant === undefined ? undefined : await findByCode(sql, merchant);
    const rows = await listEndpoints(sql, {
      merchantId: owner?.id,
      environment,
      isTroubled: troubled,
      after: cursor,
      limit: limit + 1,
    });
    const page = pageOfRead(rows, limit, ({ id }) => id);
    return { data: page.data.map(endpointAnswer), cursor: page.cursor };
  },
});
