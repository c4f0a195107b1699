/** Lists merchants by code: all, or those whose code or name has a text. */

import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../../core/clock.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import { inputOf, oneOf, pageFields, pageOf, text, timeOutput } from '../../core/operation-fields.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { listMerchants, type MerchantRow } from '../merchant-store.ts';

export const merchantOutput = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  state: oneOf(['active', 'suspended']),
  created_at: timeOutput,
});

/** A merchant in the output of operations. */
export function merchantAnswer(merchant: MerchantRow): Static<typeof merchantOutput> {
  return {
    id: merchant.id,
    code: merchant.code,
    name: merchant.name,
    state: merchant.disabled_at === null ? 'active' : 'suspended',
    created_at: formatRfc3339(merchant.created_at),
  };
}

export const listMerchantsOperation = defineOperation({
  name: 'merchant.list',
  kind: 'question',
  summary: 'list merchants by code, optionally those whose code or name contains a text',
  roles,
  route: 'GET /merchants',
  document: 'operators/merchants.md',
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
