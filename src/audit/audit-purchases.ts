/**
 * Audits the books: proves on a running database that no purchase is lost or bought twice and that
 * the money adds up. It writes nothing and blocks no purchase.
 *
 * Guarantees: no snapshot is held for long, however large the history is. The history is read in
 * slices, each in a transaction of its own, which shrink when they take too long. All rows of a
 * purchase are read at one moment. Sums over all slices are of one moment and are compared with the
 * balances of that moment.
 */

import { type OnProgress, unwatched } from '../core/progress.ts';
import type { Queries, Sql, Tx } from '../db/database.ts';
import {
  type ChainSlice,
  entrySlice,
  findEntryBound,
  findLinkBound,
  linkSlice,
} from '../oversight/log/audit-chain-store.ts';
import { checksOver } from './audit-checks.ts';
import { type CheckedDay, closedDaySlice, listClosedDays, sumMovedWithin } from './audit-closed-day-store.ts';
import { sliceOf } from './audit-slice-store.ts';
import { prepareAudit, sumsSeen } from './audit-store.ts';
import { addSlice, type Cut, readCut, type Sums } from './audit-sum-store.ts';
import {
  addDeposits,
  addRedemptions,
  addVouchers,
  noTableSums,
  type TableSums,
} from './audit-table-sum-store.ts';
import { type AuditResult, Findings } from './findings.ts';
import { type Shortly, SliceSize, walkMarks, walkSlices, walkSubjects, walkTable } from './walk-slices.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

async function auditClosedDays(shortly: Shortly, findings: Findings): Promise<void> {
  const days = await shortly(listClosedDays);
  const stretch = new SliceSize(undefined, 10 * MINUTE_MS, 1_000, 24 * HOUR_MS);
  for (const day of days) {
    const moved = await sumDay(shortly, day, stretch);
    await shortly((tx) => findings.run(tx, checksOver('closed day'), closedDaySlice(day, moved)));
  }
}

async function sumDay(shortly: Shortly, day: CheckedDay, stretch: SliceSize): Promise<Map<bigint, bigint>> {
  const moved = new Map<bigint, bigint>();
  const end = day.ends.getTime();
  let from = day.begins;
  let atMs = day.looked_from.getTime();
  do {
    const to = new Date(Math.min(atMs + stretch.rows, end));
    const start = from;
    const rows = await stretch.measure(() => shortly((tx) => sumMovedWithin(tx, day, start, to)));
    for (const { account_id: id, moved: amount } of rows)
      moved.set(id, (moved.get(id) ?? 0n) + BigInt(amount));
    from = to;
    atMs = to.getTime();
  } while (atMs < end);
  return moved;
}

const BEFORE_LINKS = 0n;
const BEFORE_ENTRIES = -9_223_372_036_854_775_808n;

/** Runs the checks of the audit log. */
async function auditAuditLog(
  shortly: Shortly,
  rowsPerSlice: number | undefined,
  findings: Findings,
): Promise<void> {
  const walk = async (
    over: 'audit links' | 'audit entries',
    start: bigint,
    findBound: (sql: Sql, above: bigint, rows: number) => Promise<bigint | undefined>,
    sliceOf: (above: bigint, upTo: bigint | undefined) => ChainSlice,
  ): Promise<void> => {
    const size = new SliceSize(rowsPerSlice, 4_000, 1_000, 100_000);
    await walkSlices(
      shortly,
      size,
      start,
      (tx, above) => findBound(tx, above, size.rows),
      (tx, above, upTo) => findings.run(tx, checksOver(over), sliceOf(above, upTo)),
    );
  };
  await walk('audit links', BEFORE_LINKS, findLinkBound, linkSlice);
  await walk('audit entries', BEFORE_ENTRIES, findEntryBound, entrySlice);
}

const SHORT_MS = 500;

/** The results of an audit, and the end of the audit log that it saw, as JSON. */
export type Audited = {
  readonly checks: readonly AuditResult[];
  readonly auditLog: string | undefined;
};

export type Slicing = {
  /** The rows of each slice; by default as many as take a second. */
  readonly rowsPerSlice?: number | undefined;
  /** Called after each slice. */
  readonly onProgress?: OnProgress;
};

/** Runs every check, also after one has failed. Rejects only if the database fails. */
export async function auditPurchases(
  database: Pick<Queries, 'transaction'>,
  { rowsPerSlice, onProgress = unwatched }: Slicing = {},
): Promise<Audited> {
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

/** Runs short read-only transactions with one snapshot. */
function shortlyOn(database: Pick<Queries, 'transaction'>): Shortly {
  return (work) =>
    database.transaction(
      async (tx) => {
        await prepareAudit(tx);
        return await work(tx);
      },
      { isolation: 'repeatable read', readOnly: true, patient: true },
    );
}

/** Reports how many slices of a part are done. */
function reportSlices(shortly: Shortly, step: string, onProgress: OnProgress): Shortly {
  let done = 0;
  return async (work) => {
    const result = await shortly(work);
    done += 1;
    onProgress({ step, done, unit: 'slices audited' });
    return result;
  };
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

/** Runs the checks of small tables and of open items, several per transaction. */
async function auditMoments(shortly: Shortly, findings: Findings): Promise<void> {
  const checks = checksOver('moment');
  while (checks.length > 0) await shortly((tx) => runSome(tx, findings, checks));
}

/**
 * Runs as many of the checks as a short transaction has time for, and removes them from the list.
 */
async function runSome(tx: Tx, findings: Findings, checks: ReturnType<typeof checksOver>): Promise<void> {
  const startedAt = performance.now();
  do {
    await findings.run(tx, checks.splice(0, 1));
  } while (checks.length > 0 && performance.now() - startedAt < SHORT_MS);
}
