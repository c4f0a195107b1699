/** Lists the merchants there are, by code. */
import type { Asking } from '../../audit-log/acting.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { inputOf, pageFields, pageOf } from '../../kernel/operation-fields.ts';
import { merchantAnswer, merchantOutput } from '../merchant-answer.ts';
import { listMerchants } from '../merchant-store.ts';

export const listMerchantsOperation = defineOperation({
  name: 'merchant.list',
  kind: 'question',
  summary: 'list merchants by code',
  roles,
  route: 'GET /merchants',
  document: 'operators/cli.md',
  input: inputOf(pageFields),
  output: pageOf(merchantOutput),
  run: async ({ sql }: Asking, { limit = 50, cursor }) => {
    const found = await listMerchants(sql, { after: cursor, limit: limit + 1 });
    const page = found.slice(0, limit);
    return {
      data: page.map(merchantAnswer),
      cursor: found.length > limit ? (page.at(-1)?.code ?? null) : null,
    };
  },
});
