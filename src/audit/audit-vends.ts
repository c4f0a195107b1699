/**
 * The audit: proves on a database in use that no purchase is lost or bought twice, and that the
 * money adds up. Every check sees the same moment (one repeatable-read snapshot). It writes
 * nothing, and locks nothing that a purchase needs.
 */
import type { Database, Row } from '../db/database.ts';
import { depositChecks } from './audit-deposit-store.ts';
import { moneyChecks } from './audit-money-store.ts';
import { pathChecks } from './audit-path-store.ts';
import { statementChecks } from './audit-statement-store.ts';
import { findDifferences, prepareAudit } from './audit-store.ts';
import { voucherChecks } from './audit-voucher-store.ts';

const DIFFERENCES_LISTED_MAX = 50;

export type AuditResult = {
  readonly name: string;
  /** What must be true. */
  readonly description: string;
  readonly ok: boolean;
  /** The first 50; the columns are the check's own. */
  readonly differences: readonly Row[];
  /** How many there are in all. */
  readonly count: number;
};

/** Runs every check, also after one has failed. Rejects only when the database does. */
export async function auditVends(
  database: Pick<Database, 'transaction'>,
): Promise<{ readonly checks: readonly AuditResult[] }> {
  return await database.transaction(
    async (tx) => {
      await prepareAudit(tx);
      const checks: AuditResult[] = [];
      for (const check of [
        ...moneyChecks,
        ...depositChecks,
        ...voucherChecks,
        ...statementChecks,
        ...pathChecks,
      ]) {
        const { count, listed } = await findDifferences(tx, check, DIFFERENCES_LISTED_MAX);
        const { name, description } = check;
        checks.push({ name, description, ok: count === 0, differences: listed, count });
      }
      return { checks };
    },
    { isolation: 'repeatable read', readOnly: true, patient: true },
  );
}
