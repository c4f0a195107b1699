/**
 * Reads a report: the sales of some days, the balances at their end, and whether the sums of
 * purchases are those of the ledger. All of it is of one moment.
 */

import { OperationError } from '../../core/errors.ts';
import type { Queries, Sql, Tx } from '../../db/database.ts';
import { isStandby } from '../../db/is-standby.ts';
import { type Equation, equationsOf, type WalletFlow, walletFlows } from './agree.ts';
import { dayBefore, endOfDay } from './days.ts';
import { type BalanceSum, sumBalances, sumMoved } from './ledger-store.ts';
import { type Days, type ReportColumn, type ReportRow, readReport } from './report-store.ts';
import { catchUp } from './roll-up.ts';
import { readCheckpoint } from './roll-up-store.ts';

/** The longest wait for the roll-up. The report states if it is incomplete. */
const CATCH_UP_MS = 3_000;

export type Report = {
  readonly rows: readonly ReportRow[];
  /** One for each currency. */
  readonly totals: readonly ReportRow[];
  readonly state: RolledUp;
  readonly opening: readonly BalanceSum[];
  readonly closing: readonly BalanceSum[];
  readonly flows: readonly WalletFlow[];
  readonly equations: readonly Equation[];
};

/** How much of some days is rolled up. */
export type RolledUp = {
  /** Past days have all their rows, and today has those before `upTo`. */
  readonly isComplete: boolean;
  readonly upTo: Date;
};

export async function catchUpShortly(database: Queries): Promise<void> {
  if (await isStandby(database)) return;
  await catchUp(database, { withinMs: CATCH_UP_MS });
}

/** Reads a report. The transaction must have one snapshot. */
export async function readReportOf(
  tx: Tx,
  days: Days,
  columns: readonly ReportColumn[],
  page: { readonly after: readonly string[] | undefined; readonly limit: number },
  now: Date,
): Promise<Report> {
  const state = rolledUp(await readCheckpoint(tx), days, now);
  const totals = await readReport(tx, days, [], { after: undefined, limit: 100 });
  const rows = columns.length === 0 ? totals : await readReport(tx, days, columns, page);
  const moved = await sumMoved(tx, days);
  return {
    rows,
    totals,
    state,
    opening: await sumBalances(tx, days.environment, dayBefore(days.from)),
    closing: await sumBalances(tx, days.environment, days.to),
    flows: walletFlows(moved),
    equations: equationsOf(totals, moved),
  };
}

/** Throws OperationError `books_incomplete` until the days are rolled up. */
export async function requireComplete(sql: Sql, days: Days, now: Date): Promise<void> {
  if (rolledUp(await readCheckpoint(sql), days, now).isComplete) return;
  throw new OperationError({ code: 'books_incomplete', from: days.from, to: days.to });
}

export function rolledUp(checkpoint: Date, { to }: Days, now: Date): RolledUp {
  const end = endOfDay(to);
  if (end > now) return { isComplete: true, upTo: checkpoint };
  const isComplete = checkpoint >= end;
  return { isComplete, upTo: isComplete ? end : checkpoint };
}
