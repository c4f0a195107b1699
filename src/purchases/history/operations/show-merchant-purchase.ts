/** Shows a merchant the timeline of one of its purchases. */

import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf, merchantField } from '../../../core/operation-fields.ts';
import { listDeliveriesOfEvent } from '../../../notifications/webhooks/webhook-delivery-store.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { purchaseFields } from '../find-purchase.ts';
import { purchaseAnswer, purchaseOutput } from '../merchant-purchase-answer.ts';
import { readHistory } from '../read-history.ts';

export const showMerchantPurchaseOperation = defineOperation({
  name: 'merchant_purchase.show',
  kind: 'question',
  summary: "show a merchant's purchase and its timeline, as the merchant sees it; times in Lagos",
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  route: 'GET /merchants/{merchant}/purchases/{reference}',
  document: 'operators/merchants.md',
  input: inputOf({ ...purchaseFields, merchant: merchantField }),
  output: purchaseOutput,
  run: async ({ sql }: Asking, named) => {
    const history = await readHistory(sql, named);
    const { id, merchant_id: merchantId, environment } = history.purchase;
    // The event of an outcome has the id of its purchase.
    const webhooks = await listDeliveriesOfEvent(sql, { merchantId, environment }, id);
    return purchaseAnswer(history, webhooks);
  },
});
