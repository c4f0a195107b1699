/**
 * Verifies the chain of the audit log: all of it, or the part after an entry whose hash was kept.
 */
import { Type } from 'typebox';
import { OperationError } from '../../../core/errors.ts';
import { nullable } from '../../../core/nullable.ts';
import { defineOperation, supportersAndTreasurers } from '../../../core/operation.ts';
import { inputOf, oneOf } from '../../../core/operation-fields.ts';
import type { Asking } from '../acting.ts';
import { brokenHows, verifyAuditLog } from '../verify-audit-log.ts';

export const verifyAuditLogOperation = defineOperation({
  name: 'audit_log.verify',
  kind: 'question',
  summary:
    'verify that no entry of the audit log was changed, removed, inserted or moved; ' +
    'else show the first broken entry',
  roles: supportersAndTreasurers,
  route: 'GET /audit-log/verification',
  isLong: true,
  document: 'operators/audit-log.md',
  input: inputOf({
    entry: Type.Optional(
      Type.String({
        description: 'the id of an entry whose hash was kept: what follows it is verified',
        pattern: '^[0-9]{1,18}$',
      }),
    ),
    hash: Type.Optional(
      Type.String({
        description: 'the hash of that entry, 64 digits and letters from a to f',
        pattern: '^[0-9a-fA-F]{64}$',
      }),
    ),
  }),
  output: Type.Object({
    ok: Type.Boolean(),
    entries: Type.String(),
    /** Keep it outside this machine. */
    head: nullable(Type.Object({ entry: Type.String(), hash: Type.String() })),
    broken: nullable(Type.Object({ entry: Type.String(), how: oneOf(brokenHows) })),
  }),
  run: async ({ sql }: Asking, { entry, hash }) => {
    const { entries, head, broken } = await verifyAuditLog(sql, { from: keptOf(entry, hash) });
    return {
      ok: broken === undefined,
      entries: String(entries),
      head: head === undefined ? null : { entry: String(head.entryId), hash: head.hash },
      broken: broken === undefined ? null : { entry: String(broken.entryId), how: broken.how },
    };
  },
});

/** Both or none. */
function keptOf(
  entry: string | undefined,
  hash: string | undefined,
): { readonly entryId: bigint; readonly hash: string } | undefined {
  if (entry === undefined && hash === undefined) return undefined;
  if (entry !== undefined && hash !== undefined) return { entryId: BigInt(entry), hash };
  const field = entry === undefined ? 'entry' : 'hash';
  const fault = { field, kind: 'missing', wanted: 'given with the other of the two' } as const;
  throw new OperationError({ code: 'input_malformed', errors: [fault] });
}
