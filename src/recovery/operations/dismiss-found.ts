/**
 * Puts an order aside that a reconciliation left: a person knows that it is no purchase of anybody
 * here, such as one of another system with the same account at the provider, or that it is settled
 * by other means. Nothing of it is entered, and it does not keep the fence up any more.
 */
import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { OperationError } from '../../kernel/errors.ts';
import { defineOperation, treasurers } from '../../kernel/operation.ts';
import { inputOf, reasonField, text } from '../../kernel/operation-fields.ts';
import { updateDismissed } from '../entered-store.ts';
import { lockFence } from '../fence-store.ts';
import { countLeftOrders, findLeftOrder } from '../found-order-store.ts';

export const dismissFoundOperation = defineOperation({
  name: 'restore.dismiss',
  kind: 'act',
  summary: 'put an order aside that reconcile left, and that is no purchase to enter',
  roles: treasurers,
  route: 'POST /restore/orders/{provider}/{order}/dismiss',
  document: 'operators/restore.md',
  confirm: ({ provider, order }) =>
    `Order ${order} of ${provider} is entered nowhere: should it be a purchase, its merchant may buy it again. Dismiss it?`,
  input: inputOf({
    provider: text('the name of a provider'),
    order: text('our reference at the provider, as oja restore found has it'),
    reason: reasonField,
  }),
  output: Type.Object({
    provider: Type.String(),
    order: Type.String(),
    /** Orders that are left still. */
    left: Type.Integer(),
  }),
  run: async ({ tx, actor }: Acting, { provider, order: reference, reason }) => {
    const fence = await lockFence(tx);
    if (fence === undefined) throw new OperationError({ code: 'no_fence' });
    const found = await findLeftOrder(tx, provider, reference);
    if (found === undefined) throw new OperationError({ code: 'no_found_order', provider, reference });
    await updateDismissed(tx, provider, reference);
    await recordOperation(tx, {
      actor,
      action: 'restore.dismiss',
      subject: `restore_fence:${fence.id}`,
      after: { provider, order: reference, reason, left_for: found.reason, listed: found.listed },
    });
    return { provider, order: reference, left: await countLeftOrders(tx) };
  },
});
