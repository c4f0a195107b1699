/** Lists findings: orders that providers list and that are, or were, unknown here. */
import { Type } from 'typebox';
import type { Clock } from '../../../core/clock.ts';
import { OperationError } from '../../../core/errors.ts';
import { defineOperation, roles } from '../../../core/operation.ts';
import { inputOf, oneOf, pageFields, pageOf } from '../../../core/operation-fields.ts';
import { pageOfRead } from '../../../core/page.ts';
import type { Asking } from '../../../oversight/log/acting.ts';
import { findingVerdicts } from '../finding.ts';
import type { OrderName } from '../finding-store.ts';
import { differenceAnswer, differenceOutput } from '../run-answer.ts';
import { listFindings } from '../run-store.ts';

export const listFindingsOperation = defineOperation({
  name: 'finding.list',
  kind: 'question',
  summary: 'list orders at providers that are unknown here, with the decision about each',
  roles,
  route: 'GET /findings',
  document: 'operators/reconciliation.md',
  input: inputOf({ verdict: Type.Optional(oneOf(findingVerdicts)), ...pageFields }),
  output: pageOf(differenceOutput),
  run: async ({ sql, clock }: Asking & { readonly clock: Clock }, { verdict, limit = 50, cursor }) => {
    const after = cursor === undefined ? { provider: '', reference: '' } : readCursor(cursor);
    const rows = await listFindings(sql, { verdict, after, limit: limit + 1 });
    const page = pageOfRead(rows, limit, ({ party, reference }) => `${party}/${reference}`);
    return { data: page.data.map((row) => differenceAnswer(row, clock.now())), cursor: page.cursor };
  },
});

/** Reads a cursor. The name of a provider has no slash. */
function readCursor(cursor: string): OrderName {
  const [provider = '', ...rest] = cursor.split('/');
  if (rest.length === 0) throw new OperationError({ code: 'no_such_cursor', cursor });
  return { provider, reference: rest.join('/') };
}
