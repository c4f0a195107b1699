/** Exports the audit log in pages of lines, which together are a verifiable file. */
import { Type } from 'typebox';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import { dayField, inputOf, pageFields, pageOf } from '../../../core/operation-fields.ts';
import type { Asking } from '../acting.ts';
import { exportLines } from '../export-audit-log.ts';
import { readPeriod } from './list-audit-log.ts';

const LINES_MAX = 5_000;

export const exportAuditLogOperation = defineOperation({
  name: 'audit_log.export',
  kind: 'question',
  summary: 'export the audit log, oldest first, as lines with hashes that anyone can verify',
  roles: treasurers,
  needsStepUp: true,
  listsPeople: true,
  route: 'GET /audit-log/export',
  document: 'operators/audit-log.md',
  input: inputOf({
    from: Type.Optional(dayField),
    to: Type.Optional(dayField),
    limit: Type.Optional(
      Type.Integer({
        description: `the number of lines per page, a whole number from 1 to ${LINES_MAX}`,
        minimum: 1,
        maximum: LINES_MAX,
        default: 1_000,
      }),
    ),
    cursor: pageFields.cursor,
  }),
  output: pageOf(Type.String()),
  run: async ({ sql }: Asking, { from, to, limit = 1_000, cursor }) => {
    const { lines, next } = await exportLines(sql, { ...readPeriod({ from, to }), limit, cursor });
    return { data: lines, cursor: next ?? null };
  },
});
