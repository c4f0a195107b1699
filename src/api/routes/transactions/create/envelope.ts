/** Envelope A of the interface: how a create is answered. Pure. */
import { formatRfc3339 } from '../../../../core/clock.ts';
import type { Vend, VendMode } from '../../../../purchases/state/purchase.ts';
import { outcomeCodes } from '../../../plumbing/answer.ts';
import { failureOf, outcomeWords } from '../../../plumbing/outcome-words.ts';
import { goodsOf, purchaseOf } from '../../../plumbing/purchase-answer.ts';
import type { CreateAnswer } from './schema.ts';

/** A pending async create does not carry `created_at`; every final answer does. */
export function createEnvelope(vend: Vend, mode: VendMode): CreateAnswer {
  return {
    status: vend.status,
    response_code: outcomeCodes[vend.status],
    response_message: outcomeWords(vend),
    data: {
      ...purchaseOf(vend),
      ...((mode === 'sync' || vend.status !== 'pending') && { created_at: formatRfc3339(vend.createdAt) }),
      ...failureOf(vend),
      ...goodsOf(vend),
    },
  };
}
