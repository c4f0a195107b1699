/**
 * Shows a merchant the answers to a customer's complaint about a purchase: the order, each
 * provider's answers with times, the place of the money, and the next step.
 */
import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf, merchantField } from '../../../core/operation-fields.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { complaintAnswer, complaintOutput } from '../complaint-answer.ts';
import { purchaseFields } from '../find-purchase.ts';
import { readHistory } from '../read-history.ts';

export const showComplaintOperation = defineOperation({
  name: 'merchant_purchase.complaint',
  kind: 'question',
  summary:
    'show what a complaint about a purchase needs: the request, the answers of providers, the money, and the next step',
  roles,
  portal: { roles: ['viewer', 'finance', 'developer'] },
  route: 'GET /merchants/{merchant}/purchases/{reference}/complaint',
  document: 'merchants/portal.md',
  input: inputOf({ ...purchaseFields, merchant: merchantField }),
  output: complaintOutput,
  run: async ({ sql }: Asking, named) => complaintAnswer(await readHistory(sql, named)),
});
