/**
 * Dismisses an order that is unknown here: the operator knows that it is no purchase of this
 * installation, or that it is settled elsewhere. It no longer keeps the restore lock closed.
 */
import { Type } from 'typebox';
import { accountField, accountOutput } from '../../../core/account-names.ts';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import { inputOf, reasonField, text } from '../../../core/operation-fields.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { listOpenFindings, lockFinding, updateFinding } from '../finding-store.ts';

export const dismissFindingOperation = defineOperation({
  name: 'finding.dismiss',
  kind: 'act',
  summary: 'dismiss an order that is unknown here and must not be entered as a purchase',
  roles: treasurers,
  route: 'POST /findings/{provider}/{order}/dismiss',
  document: 'operators/reconciliation.md',
  confirm: ({ provider, order }) =>
    `Dismiss order ${order} of ${provider}? It will not be entered. If it is a purchase, its merchant can buy it again.`,
  input: inputOf({
    provider: accountField(),
    order: text('our reference at the provider, from the list of findings'),
    reason: reasonField,
  }),
  output: Type.Object({ provider: accountOutput, order: Type.String() }),
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
