/**
 * Audits the books: proves on a running database that no purchase is lost or bought twice and that
 * the money adds up. It writes nothing and blocks no purchase.
 *
 * Guarantees: no snapshot is held for long, however large the history is. The history is read in
 * slices, each in a transaction of its own, which shrink when they take too long. All rows of a
 * purchase are read at one moment. Sums over all slices are of one moment and are compared with the
 * balances of that moment.
 */

import { unwatched } from '../core/progress.ts';
import type { Queries } from '../db/database.ts';
import { auditCells } from './audit-cells.ts';
import { checksOver } from './audit-checks.ts';
import { sliceOf } from './audit-slice-store.ts';
import {
  type Audited,
  auditAuditLog,
  auditClosedDays,
  auditMoments,
  reportSlices,
  type Slicing,
  shortlyOn,
} from './audit-steps.ts';
import { sumsSeen } from './audit-store.ts';
import { addSlice, type Cut, readCut, type Sums } from './audit-sum-store.ts';
import {
  addDeposits,
  addRedemptions,
  addVouchers,
  noTableSums,
  type TableSums,
} from './audit-table-sum-store.ts';
import { Findings } from './findings.ts';
import { type Shortly, walkMarks, walkSubjects, walkTable } from './walk-slices.ts';

/** Runs every check, also after one has failed. Rejects only if the database fails. */
export async function auditPurchases(
  database: Pick<Queries, 'transaction' | 'cells'>,
  slicing: Slicing = {},
): Promise<Audited> {
  if (database.cells !== undefined) return await auditCells(database as Queries, database.cells, slicing);
  const { rowsPerSlice, onProgress = unwatched } = slicing;
  const findings = new Findings();
  const shortly = shortlyOn(database);
  const reporting = (step: string): Shortly => reportSlices(shortly, step, onProgress);
  const cut = await shortly((tx) => readCut(tx));
  await auditMoments(shortly, findings);
  const tableSums = await auditTables(reporting('deposits and vouchers'), rowsPerSlice, findings, cut);
  const sums: Sums = { moved: new Map(), purchases: new Map() };
  await walkSubjects(reporting('purchases and transfers'), rowsPerSlice, async (tx, range) => {
    await addSlice(tx, cut, range, sums);
    await findings.run(tx, checksOver('slice'), sliceOf(range));
  });
  await walkTable(reporting('references of purchases'), rowsPerSlice, 'purchases', (tx, slice) =>
    findings.run(tx, checksOver('purchase references'), slice),
  );
  await walkTable(reporting('references of attempts'), rowsPerSlice, 'attempts', (tx, slice) =>
    findings.run(tx, checksOver('attempt references'), slice),
  );
  await auditAuditLog(reporting('audit log'), rowsPerSlice, findings);
  await auditClosedDays(reporting('closed days'), findings);
  await walkMarks(reporting('statements'), rowsPerSlice, (tx, slice) =>
    findings.run(tx, checksOver('marks'), slice),
  );
  await shortly((tx) => findings.run(tx, checksOver('sums'), sumsSeen(cut, sums, tableSums)));
  return { checks: findings.results(), auditLog: cut.auditLog ?? undefined };
}

/**
 * Runs the checks and the sums, as of the cut, of tables that are not in the order of purchases.
 */
async function auditTables(
  shortly: Shortly,
  rowsPerSlice: number | undefined,
  findings: Findings,
  cut: Cut,
): Promise<TableSums> {
  const sums = noTableSums();
  await walkTable(shortly, rowsPerSlice, 'deposits', async (tx, slice) => {
    await findings.run(tx, checksOver('deposits'), slice);
    await addDeposits(tx, cut, slice, sums);
  });
  await walkTable(shortly, rowsPerSlice, 'bank_notices', (tx, slice) =>
    findings.run(tx, checksOver('notices'), slice),
  );
  await walkTable(shortly, rowsPerSlice, 'vouchers', async (tx, slice) => {
    await findings.run(tx, checksOver('vouchers'), slice);
    await addVouchers(tx, cut, slice, sums);
  });
  await walkTable(shortly, rowsPerSlice, 'voucher_redemptions', (tx, slice) =>
    addRedemptions(tx, cut, slice, sums),
  );
  return sums;
}
