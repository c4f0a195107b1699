/**
 * Reads a report: what was sold in some days, what was owed at their end, and whether the sums of
 * purchases are those of the ledger. All of it is of one moment.
 */
import type { Database, Sql, Tx } from '../db/database.ts';
import { isStandby } from '../db/is-standby.ts';
import { formatDay, nextDay, parseDay } from '../kernel/clock.ts';
import { catchUp } from './add-up.ts';
import { type Equation, equationsOf, type WalletFlow, walletFlows } from './agree.ts';
import { type BalanceSum, sumBalances, sumMoved } from './ledger-store.ts';
import { type ReportMark, readMark } from './mark-store.ts';
import { type Days, type ReportColumn, type ReportRow, readReport } from './report-store.ts';

/** What is not added up yet is added within this time, or told to be missing. */
const CATCH_UP_MS = 3_000;

export type Report = {
  readonly rows: readonly ReportRow[];
  /** For each currency. */
  readonly totals: readonly ReportRow[];
  readonly state: AddedUp;
  /** Undefined while the history is added up. */
  readonly opening: readonly BalanceSum[] | undefined;
  readonly closing: readonly BalanceSum[] | undefined;
  readonly flows: readonly WalletFlow[];
  readonly equations: readonly Equation[];
};

/** How much of some days is in the sums. */
export type AddedUp = {
  /** Nothing is missing: not of the days that are over, and of today all up to `upTo`. */
  readonly isComplete: boolean;
  readonly upTo: Date;
  /** The history that is missing ends here. */
  readonly missingTo: Date | undefined;
  /** A round is under way: sums that are still growing cannot be compared. */
  readonly isGrowing: boolean;
};

/** Whole, since balances need all of it. */
export async function catchUpShortly(database: Pick<Database, 'transaction' | 'query'>): Promise<void> {
  if (await isStandby(database)) return;
  await catchUp(database, { withinMs: CATCH_UP_MS });
}

/** In a transaction of one snapshot. */
export async function readReportOf(
  tx: Tx,
  days: Days,
  columns: readonly ReportColumn[],
  page: { readonly after: readonly string[] | undefined; readonly limit: number },
  now: Date,
): Promise<Report> {
  const mark = await readMark(tx);
  const state = addedUp(mark, days, now);
  const totals = await readReport(tx, days, [], { after: undefined, limit: 100 });
  const rows = columns.length === 0 ? totals : await readReport(tx, days, columns, page);
  const moved = await sumMoved(tx, days);
  const isWhole = mark.historyTo === null;
  return {
    rows,
    totals,
    state,
    opening: isWhole ? await sumBalances(tx, days.environment, dayBefore(days.from)) : undefined,
    closing: isWhole ? await sumBalances(tx, days.environment, days.to) : undefined,
    flows: walletFlows(moved),
    equations: equationsOf(totals, moved),
  };
}

/** Of some days: all of them, with the balances before, where `isWhole`. */
export async function readState(
  sql: Sql,
  days: Days,
  now: Date,
): Promise<{ readonly isWhole: boolean; readonly addedTo: Date }> {
  const mark = await readMark(sql);
  const { isComplete } = addedUp(mark, days, now);
  return { isWhole: isComplete && mark.historyTo === null, addedTo: mark.fromAt };
}

export function addedUp(
  { historyTo, fromAt, isInRound }: ReportMark,
  { from, to }: Days,
  now: Date,
): AddedUp {
  const begin = parseDay(from) ?? now;
  const end = endOf(to, now);
  const isHistoryMissing = historyTo !== null && begin < historyTo;
  const isOver = end <= now;
  return {
    isComplete: !isHistoryMissing && (isOver ? fromAt >= end : true),
    upTo: isOver && fromAt >= end ? end : fromAt,
    missingTo: isHistoryMissing ? historyTo : undefined,
    isGrowing: isInRound && fromAt < end,
  };
}

function endOf(day: string, now: Date): Date {
  const begin = parseDay(day);
  return begin === undefined ? now : nextDay(begin);
}

export function dayBefore(day: string): string {
  const begin = parseDay(day);
  if (begin === undefined) throw new Error(`${day} is a day`);
  return formatDay(new Date(begin.getTime() - 1));
}
