/**
 * Audits the books. The only change is a record of the run. An interrupted audit stores nothing and
 * can be repeated.
 */

import { Type } from 'typebox';
import { formatRfc3339 } from '../../core/clock.ts';
import { defineOperation, roles } from '../../core/operation.ts';
import { inputOf } from '../../core/operation-fields.ts';
import type { OnProgress } from '../../core/progress.ts';
import type { Queries, Row } from '../../db/database.ts';
import { isStandby } from '../../db/is-standby.ts';
import { readClock } from '../../finance/reports/roll-up-store.ts';
import type { Asking } from '../../oversight/log/acting.ts';
import { auditPurchases } from '../audit-purchases.ts';
import { insertRun } from '../audit-run-store.ts';
import type { Slicing } from '../audit-steps.ts';
import type { AuditResult } from '../findings.ts';

type Needs = Asking & {
  readonly database: Pick<Queries, 'transaction'>;
  readonly onProgress?: OnProgress;
};

export const runAuditOperation = defineOperation({
  name: 'audit.run',
  kind: 'question',
  summary: 'check every invariant of purchases and money while the gateway runs, and list the differences',
  roles,
  route: 'GET /audit',
  isLong: true,
  document: 'operators/cli.md',
  input: inputOf({}),
  output: Type.Object({
    ok: Type.Boolean(),
    checks: Type.Array(
      Type.Object({
        name: Type.String(),
        description: Type.String(),
        ok: Type.Boolean(),
        /** The first differences. Each check has its own columns. */
        differences: Type.Array(Type.Record(Type.String(), Type.Unknown())),
        count: Type.Integer(),
      }),
    ),
  }),
  run: async ({ sql, database, onProgress }: Needs) => {
    const results = await runAudit(sql, { storeIn: database, ...(onProgress && { onProgress }) });
    const checks = results.map((check) => ({
      ...check,
      differences: check.differences.map(inJson),
    }));
    return { ok: checks.every((check) => check.ok), checks };
  },
});

function inJson(row: Row): Record<string, unknown> {
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, valueInJson(value)]));
}

function valueInJson(value: unknown): unknown {
  if (typeof value === 'bigint') return String(value);
  return value instanceof Date ? formatRfc3339(value) : value;
}

type Options = Slicing & {
  /** Where the run is stored; by default the audited database. */
  readonly storeIn?: Pick<Queries, 'transaction'>;
};

/** Runs an audit and stores the run. A killed audit stores nothing. */
export async function runAudit(
  database: Queries,
  { storeIn = database, ...slicing }: Options = {},
): Promise<readonly AuditResult[]> {
  const startedAt = await readClock(database);
  const { checks, auditLog } = await auditPurchases(database, slicing);
  if (await isStandby(database)) return checks;
  const failed = checks.filter((check) => !check.ok).map((check) => check.name);
  await storeIn.transaction((tx) => insertRun(tx, { startedAt, failed, auditLog }), { patient: true });
  return checks;
}
