/** A merchant in the output of operations. */

import { type Static, Type } from 'typebox';
import { formatRfc3339 } from '../core/clock.ts';
import { oneOf, timeOutput } from '../core/operation-fields.ts';
import type { MerchantRow } from './merchant-store.ts';

export const merchantOutput = Type.Object({
  id: Type.Integer(),
  code: Type.String(),
  name: Type.String(),
  state: oneOf(['active', 'suspended']),
  created_at: timeOutput,
});

export function merchantAnswer(merchant: MerchantRow): Static<typeof merchantOutput> {
  return {
    id: merchant.id,
    code: merchant.code,
    name: merchant.name,
    state: merchant.disabled_at === null ? 'active' : 'suspended',
    created_at: formatRfc3339(merchant.created_at),
  };
}
