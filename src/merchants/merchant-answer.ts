/** A merchant in the output of operations. */

import { type Static, Type } from 'typebox';
import { answerOf } from '../core/answer.ts';
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
  return answerOf(merchantOutput, {
    ...merchant,
    state: merchant.disabled_at === null ? 'active' : 'suspended',
  });
}
