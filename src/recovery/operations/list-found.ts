/**
 * Lists the orders that providers delivered in the lost time: what was entered, and what is left.
 */
import { Type } from 'typebox';
import type { Asking } from '../../audit-log/acting.ts';
import { OperationError } from '../../kernel/errors.ts';
import { defineOperation, roles } from '../../kernel/operation.ts';
import { inputOf, oneOf, pageFields, pageOf } from '../../kernel/operation-fields.ts';
import { pageOfRead } from '../../kernel/page.ts';
import { foundAnswer, foundOutput, foundVerdicts } from '../found-answer.ts';
import { listFoundOrders } from '../found-order-store.ts';

export const listFoundOperation = defineOperation({
  name: 'restore.found',
  kind: 'question',
  summary:
    'orders that providers listed after a restore and that were not known here, as the last reconcile with apply left them',
  roles,
  route: 'GET /restore/orders',
  document: 'operators/restore.md',
  input: inputOf({ verdict: Type.Optional(oneOf(foundVerdicts)), ...pageFields }),
  output: pageOf(foundOutput),
  run: async ({ sql }: Asking, { verdict, limit = 50, cursor }) => {
    const after = cursor === undefined ? undefined : readCursor(cursor);
    const rows = await listFoundOrders(sql, { verdict, after, limit: limit + 1 });
    const { data, cursor: next } = pageOfRead(
      rows,
      limit,
      ({ provider, reference }) => `${provider}/${reference}`,
    );
    return { data: data.map(foundAnswer), cursor: next };
  },
});

/** A provider's name has no slash. */
function readCursor(cursor: string): { readonly provider: string; readonly reference: string } {
  const [provider = '', ...rest] = cursor.split('/');
  if (rest.length === 0) throw new OperationError({ code: 'no_such_cursor', cursor });
  return { provider, reference: rest.join('/') };
}
