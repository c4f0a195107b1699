/**
 * Dismisses an order that is not known here. A person knows that it is no purchase of this
 * installation, or that it is settled by other means. It does not keep the restore fence up any
 * more.
 */
import { Type } from 'typebox';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import { inputOf, reasonField, text } from '../../../core/operation-fields.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { listOpenFindings, lockFinding, updateFinding } from '../finding-store.ts';

export const dismissFindingOperation = defineOperation({
  name: 'finding.dismiss',
  kind: 'act',
  summary: 'dismiss an order that is not known here, and that is no purchase to enter',
  roles: treasurers,
  route: 'POST /findings/{provider}/{order}/dismiss',
  document: 'operators/reconciliation.md',
  confirm: ({ provider, order }) =>
    `Order ${order} of ${provider} will not be entered. If it is a purchase, its merchant can buy it again. Dismiss it?`,
  input: inputOf({
    provider: text('the name of a provider'),
    order: text('our reference at the provider, as oja finding list has it'),
    reason: reasonField,
  }),
  output: Type.Object({ provider: Type.String(), order: Type.String() }),
  run: async ({ tx, actor }: Acting, { provider, order: reference, reason }) => {
    const isGone = (await lockFinding(tx, { provider, reference })) === 'gone';
    const [found] = await listOpenFindings(tx, { provider, reference });
    if (isGone || found === undefined) throw new OperationError({ code: 'no_finding', provider, reference });
    await updateFinding(tx, found, { verdict: 'dismissed' });
    const { listed } = found;
    await recordOperation(tx, {
      actor,
      action: 'finding.dismiss',
      subject: `finding:${provider}/${reference}`,
      after: { provider, order: reference, reason, listed },
    });
    return { provider, order: reference };
  },
});
