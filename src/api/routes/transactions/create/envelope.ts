/** Envelope A of the interface: the answer to a create. Pure. */
import { formatRfc3339 } from '../../../../core/clock.ts';
import type { Purchase, PurchaseMode } from '../../../../purchases/state/purchase.ts';
import { outcomeCodes } from '../../../plumbing/answer.ts';
import { failureOf, outcomeWords } from '../../../plumbing/outcome-words.ts';
import { goodsOf, purchaseOf } from '../../../plumbing/purchase-answer.ts';
import type { CreateAnswer } from './schema.ts';

/** A pending async answer has no `created_at` (interface). */
export function createEnvelope(purchase: Purchase, mode: PurchaseMode): CreateAnswer {
  const { status } = purchase;
  const data: CreateAnswer['data'] = purchaseOf(purchase);
  if (mode === 'sync' || status !== 'pending') data.created_at = formatRfc3339(purchase.createdAt);
  Object.assign(data, failureOf(purchase), goodsOf(purchase));
  return {
    status,
    response_code: outcomeCodes[status],
    response_message: outcomeWords(purchase),
    data,
  };
}
