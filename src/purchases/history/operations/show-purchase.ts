/** Shows everything known about a purchase: its state, its timeline, and the next step. */

import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf } from '../../../core/operation-fields.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { purchaseFields } from '../find-purchase.ts';
import { purchaseAnswer, purchaseOutput } from '../purchase-answer.ts';
import { readHistory } from '../read-history.ts';

export const showPurchaseOperation = defineOperation({
  name: 'purchase.show',
  kind: 'question',
  summary:
    'show a purchase and its timeline: accepted, attempts, what providers answered, outcome, transfers, alarms, and what happens next; times in Lagos',
  roles,
  route: 'GET /purchases/{reference}',
  document: 'operators/finding.md',
  input: inputOf(purchaseFields),
  output: purchaseOutput,
  run: async ({ sql }: Asking, named) => purchaseAnswer(await readHistory(sql, named)),
});
