/**
 * The audit: proves on a database in use that no purchase is lost or bought twice, and that the
 * money adds up. It writes nothing, and locks nothing that a purchase needs.
 *
 * Guarantees: no snapshot is held for long, however large the history is. The history is read in
 * slices, each in a transaction of its own, and slices become smaller where they take too long. All
 * that is said of one vend is read at one moment. What is added up over all slices is what one
 * moment saw, and is compared with the balances of that moment.
 */
import type { Database, Row, Tx } from '../db/database.ts';
import { depositChecks } from './audit-deposit-store.ts';
import { moneyChecks } from './audit-money-store.ts';
import { pathChecks } from './audit-path-store.ts';
import { listMerchantSizes, sliceOf } from './audit-slice-store.ts';
import { statementChecks } from './audit-statement-store.ts';
import { type AuditCheck, findDifferences, prepareAudit, sumsSeen } from './audit-store.ts';
import { addSlice, readCut, type Sums } from './audit-sum-store.ts';
import { voucherChecks } from './audit-voucher-store.ts';
import { walkMarks, walkReferences, walkVends } from './walk-slices.ts';

const DIFFERENCES_LISTED_MAX = 50;
const SHORT_MS = 500;

const allChecks: readonly AuditCheck[] = [
  ...moneyChecks,
  ...depositChecks,
  ...voucherChecks,
  ...statementChecks,
  ...pathChecks,
];

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

type Findings = Map<string, { count: number; listed: Row[] }>;

/**
 * Runs every check, also after one has failed. Rejects only when the database does. Slices have
 * `rowsPerSlice` rows; else as many as take a second.
 */
export async function auditVends(
  database: Pick<Database, 'transaction'>,
  rowsPerSlice?: number,
): Promise<{ readonly checks: readonly AuditResult[] }> {
  const findings: Findings = new Map();
  const shortly = <T>(work: (tx: Tx) => Promise<T>): Promise<T> =>
    database.transaction(
      async (tx) => {
        await prepareAudit(tx);
        return await work(tx);
      },
      { isolation: 'repeatable read', readOnly: true, patient: true },
    );
  const { cut, sizes } = await shortly(async (tx) => ({
    cut: await readCut(tx),
    sizes: await listMerchantSizes(tx),
  }));
  const moments = checksOver('moment');
  while (moments.length > 0) await shortly((tx) => runSome(tx, findings, moments));
  const sums: Sums = { moved: new Map(), vends: new Map() };
  await walkVends(shortly, rowsPerSlice, sizes, async (tx, range) => {
    await addSlice(tx, cut, range, sums);
    await run(tx, findings, checksOver('slice'), sliceOf(range));
  });
  await walkReferences(shortly, rowsPerSlice, 'vends', (tx, slice) =>
    run(tx, findings, checksOver('vend references'), slice),
  );
  await walkReferences(shortly, rowsPerSlice, 'attempts', (tx, slice) =>
    run(tx, findings, checksOver('attempt references'), slice),
  );
  await walkMarks(shortly, rowsPerSlice, (tx, slice) => run(tx, findings, checksOver('marks'), slice));
  await shortly((tx) => run(tx, findings, checksOver('sums'), sumsSeen(cut, sums)));
  return { checks: allChecks.map((check) => toResult(check, findings)) };
}

function checksOver(over: AuditCheck['over']): AuditCheck[] {
  return allChecks.filter((check) => check.over === over);
}

/** Those of the checks that a short transaction has time for, taken off the list. */
async function runSome(tx: Tx, findings: Findings, checks: AuditCheck[]): Promise<void> {
  const startedAt = performance.now();
  do {
    await run(tx, findings, checks.splice(0, 1));
  } while (checks.length > 0 && performance.now() - startedAt < SHORT_MS);
}

async function run(
  tx: Tx,
  findings: Findings,
  checks: readonly AuditCheck[],
  seen?: Parameters<typeof findDifferences>[3],
): Promise<void> {
  for (const check of checks) {
    const { count, listed } = await findDifferences(tx, check, DIFFERENCES_LISTED_MAX, seen);
    const found = findings.get(check.name) ?? { count: 0, listed: [] };
    found.count += count;
    found.listed.push(...listed.slice(0, DIFFERENCES_LISTED_MAX - found.listed.length));
    findings.set(check.name, found);
  }
}

function toResult({ name, description }: AuditCheck, findings: Findings): AuditResult {
  const { count, listed } = findings.get(name) ?? { count: 0, listed: [] };
  return { name, description, ok: count === 0, differences: listed, count };
}
