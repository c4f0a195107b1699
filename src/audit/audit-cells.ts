/**
 * Audits an installation whose cells are on other servers. The checks of merchants run at each
 * cell, unchanged. The checks of the house run at the coordinator, with rows and sums of all cells.
 *
 * Guarantees: what is read of several servers is of one moment. A server that does not answer
 * rejects the audit, so a part is never taken for all.
 */
import { unwatched } from '../core/progress.ts';
import type { Queries } from '../db/database.ts';
import { DatabaseUnavailableError } from '../db/database-errors.ts';
import { CellLookup, findPlacements } from '../db/find-cells.ts';
import { atOneMoment, type Moment } from '../db/one-moment.ts';
import { checksOver } from './audit-checks.ts';
import {
  type CellTx,
  cellSliceOf,
  collectAttempts,
  collectMoment,
  withTransfers,
} from './audit-collect-store.ts';
import { findTableBound, followOrder } from './audit-slice-store.ts';
import {
  type Audited,
  auditAuditLog,
  auditClosedDays,
  auditMoments,
  reportSlices,
  type Slicing,
  shortlyOn,
} from './audit-steps.ts';
import { prepareAudit, sumsSeen } from './audit-store.ts';
import { addSlice, joinCuts, readCut, type Sums } from './audit-sum-store.ts';
import { addDeposits, addRedemptions, addVouchers, noTableSums } from './audit-table-sum-store.ts';
import { Findings } from './findings.ts';
import { type Shortly, SliceSize, walkMarks, walkSubjects, walkTable } from './walk-slices.ts';

/**
 * Runs every check, also after one has failed. Rejects with DatabaseUnavailableError, which names
 * the cells, if some do not answer.
 */
export async function auditCells(
  coordinator: Queries,
  cells: readonly Queries[],
  slicing: Slicing,
): Promise<Audited> {
  try {
    return await auditAll(coordinator, cells, slicing);
  } catch (error) {
    const answers = await Promise.allSettled(cells.map((cell) => cell.query('select')));
    const silent = answers.flatMap(({ status }, number) => (status === 'rejected' ? [number] : []));
    if (silent.length === 0) throw error;
    throw new DatabaseUnavailableError(`these cells do not answer: ${silent.join(', ')}`, { cause: error });
  }
}

async function auditAll(
  coordinator: Queries,
  cells: readonly Queries[],
  { rowsPerSlice, onProgress = unwatched }: Slicing,
): Promise<Audited> {
  const findings = new Findings();
  const reporting = (step: string): Shortly => reportSlices(shortlyOn(coordinator), step, onProgress);
  const atAll = <T>(work: (moment: Moment) => Promise<T>): Promise<T> =>
    atOneMoment(coordinator, cells, prepareAudit, work);

  const cuts = await atAll(async (moment) => ({
    coordinator: await readCut(moment.coordinator, 'coordinator'),
    cells: await Promise.all(moment.cells.map((tx) => readCut(tx, 'cell'))),
  }));
  const ofCells = checksOver('moment').filter(({ at }) => at === undefined);
  const ofCoordinator = checksOver('moment').filter(({ at }) => at === 'coordinator');
  await atAll(async (moment) => findings.run(moment.coordinator, ofCoordinator, await collectMoment(moment)));

  const sums: Sums = { moved: new Map(), purchases: new Map() };
  const tableSums = noTableSums();
  let current: Moment | undefined;
  const deposits: Shortly = reportSlices(
    (work) =>
      atAll((moment) => {
        current = moment;
        return work(moment.coordinator);
      }),
    'deposits',
    onProgress,
  );
  await walkTable(deposits, rowsPerSlice, 'deposits', async (tx, slice) => {
    if (current === undefined) throw new Error('a slice is read at a moment');
    await findings.run(tx, checksOver('deposits'), await withTransfers(current, slice));
    await addDeposits(tx, cuts.coordinator, slice, tableSums);
  });
  await walkTable(reporting('notices'), rowsPerSlice, 'bank_notices', (tx, slice) =>
    findings.run(tx, checksOver('notices'), slice),
  );

  const lookup = new CellLookup(coordinator, (await findPlacements(coordinator)).length > 0);
  for (const [number, database] of cells.entries()) {
    const cut = cuts.cells[number];
    if (cut === undefined) throw new Error(`cell ${number} has no cut`);
    const shortly: Shortly<CellTx> = reportSlices(
      (work) =>
        atOneMoment(
          coordinator,
          [database],
          prepareAudit,
          async ({ coordinator: coordinatorTx, cells: [tx] }) => {
            if (tx === undefined) throw new Error(`cell ${number} has no transaction`);
            return await work({
              kind: 'tx',
              query: (statement, values) => tx.query(statement, values),
              coordinator: coordinatorTx,
            });
          },
        ),
      `cell ${number}`,
      onProgress,
    );
    await auditMoments(shortly, findings, ofCells);
    await walkTable(shortly, rowsPerSlice, 'vouchers', async (tx, slice) => {
      await findings.run(tx, checksOver('vouchers'), slice);
      await addVouchers(tx, cut, slice, tableSums);
    });
    await walkTable(shortly, rowsPerSlice, 'voucher_redemptions', (tx, slice) =>
      addRedemptions(tx, cut, slice, tableSums),
    );
    await walkSubjects(shortly, rowsPerSlice, async (tx, range) => {
      await addSlice(tx, cut, range, sums);
      await findings.run(tx, checksOver('slice'), await cellSliceOf(tx, { number, lookup }, range));
    });
    await walkTable(shortly, rowsPerSlice, 'purchases', (tx, slice) =>
      findings.run(tx, checksOver('purchase references'), slice),
    );
    await walkMarks(shortly, rowsPerSlice, (tx, slice) => findings.run(tx, checksOver('marks'), slice));
  }
  await auditAttempts(coordinator, cells, rowsPerSlice, findings);

  await auditAuditLog(reporting('audit log'), rowsPerSlice, findings);
  await auditClosedDays(reporting('closed days'), findings, cells.map(shortlyOn));
  const { coordinator: cut } = cuts;
  const seen = sumsSeen(joinCuts(cut, cuts.cells), sums, tableSums);
  await shortlyOn(coordinator)((tx) => findings.run(tx, checksOver('sums'), seen));
  return { checks: findings.results(), auditLog: cut.auditLog ?? undefined };
}

/** Compares the references of all cells at the coordinator. Attempts never change. */
async function auditAttempts(
  coordinator: Queries,
  cells: readonly Queries[],
  rowsPerSlice: number | undefined,
  findings: Findings,
): Promise<void> {
  const size = new SliceSize(rowsPerSlice, 20_000, 1_000, 200_000);
  let above: string | undefined;
  do {
    const from = above === undefined ? undefined : [above];
    above = await size.measure(async () => {
      const rows = Math.max(1, Math.floor(size.rows / cells.length));
      const bounds = await Promise.all(
        cells.map((cell) =>
          shortlyOn(cell)(async (tx) => {
            await followOrder(tx);
            return await findTableBound(tx, 'attempts', from, rows);
          }),
        ),
      );
      return await shortlyOn(coordinator)(async (tx) => {
        const { slice, upTo } = await collectAttempts(
          tx,
          cells,
          from,
          bounds.flatMap((bound) => bound ?? []).map(String),
        );
        await findings.run(tx, checksOver('attempt references'), slice);
        return upTo;
      });
    });
  } while (above !== undefined);
}
