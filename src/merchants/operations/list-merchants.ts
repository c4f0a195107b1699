/** Lists merchants by code: all, or those whose code or name has a text. */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { inputOf, pageFields, pageOf, text } from '../../kernel/operation-fields.ts';
import { merchantAnswer, merchantOutput } from '../merchant-answer.ts';
import { listMerchants } from '../merchant-store.ts';

export const listMerchantsOperation = defineOperation({
  name: 'merchant.list',
  kind: 'question',
  summary: 'list merchants by code, all or those whose code or name has a text',
  roles,
  route: 'GET /merchants',
  document: 'operators/cli.md',
  input: inputOf({
    find: Type.Optional(text('a part of the code or the name, in any letter case')),
    ...pageFields,
  }),
  output: pageOf(merchantOutput),
  run: async ({ sql }: Asking, { find, limit = 50, cursor }) => {
    const found = await listMerchants(sql, { find: find?.trim(), after: cursor, limit: limit + 1 });
    const page = found.slice(0, limit);
    return {
      data: page.map(merchantAnswer),
      cursor: found.length > limit ? (page.at(-1)?.code ?? null) : null,
    };
  },
});
