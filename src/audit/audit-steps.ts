/** Steps of an audit of whole tables, and of one of cells on other servers. */
import type { OnProgress } from '../core/progress.ts';
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
import { type AuditCheck, prepareAudit } from './audit-store.ts';
import type { AuditResult, Findings } from './findings.ts';
import { type Shortly, SliceSize, walkSlices } from './walk-slices.ts';

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

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Runs the checks of closed days, with the transfers of all `histories`. */
export async function auditClosedDays(
  shortly: Shortly,
  findings: Findings,
  histories: readonly Shortly[] = [shortly],
): Promise<void> {
  const days = await shortly(listClosedDays);
  const stretch = new SliceSize(undefined, 10 * MINUTE_MS, 1_000, 24 * HOUR_MS);
  for (const day of days) {
    const moved = await sumDay(histories, day, stretch);
    await shortly((tx) => findings.run(tx, checksOver('closed day'), closedDaySlice(day, moved)));
  }
}

async function sumDay(
  histories: readonly Shortly[],
  day: CheckedDay,
  stretch: SliceSize,
): Promise<Map<bigint, bigint>> {
  const moved = new Map<bigint, bigint>();
  const end = day.ends.getTime();
  let from = day.begins;
  let atMs = day.looked_from.getTime();
  do {
    const to = new Date(Math.min(atMs + stretch.rows, end));
    const start = from;
    const rows = await stretch.measure(() =>
      Promise.all(histories.map((shortly) => shortly((tx) => sumMovedWithin(tx, day, start, to)))),
    );
    for (const { account_id: id, moved: amount } of rows.flat())
      moved.set(id, (moved.get(id) ?? 0n) + BigInt(amount));
    from = to;
    atMs = to.getTime();
  } while (atMs < end);
  return moved;
}

const BEFORE_LINKS = 0n;
const BEFORE_ENTRIES = -9_223_372_036_854_775_808n;

/** Runs the checks of the audit log. */
export async function auditAuditLog(
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

/** Runs short read-only transactions with one snapshot. */
export function shortlyOn(database: Pick<Queries, 'transaction'>): Shortly {
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
export function reportSlices<At extends Tx = Tx>(
  shortly: Shortly<At>,
  step: string,
  onProgress: OnProgress,
): Shortly<At> {
  let done = 0;
  return async (work) => {
    const result = await shortly(work);
    done += 1;
    onProgress({ step, done, unit: 'slices audited' });
    return result;
  };
}

/** Runs checks of small tables and of open items, several per transaction. */
export async function auditMoments(
  shortly: Shortly,
  findings: Findings,
  wanted: readonly AuditCheck[] = checksOver('moment'),
): Promise<void> {
  const checks = [...wanted];
  while (checks.length > 0) await shortly((tx) => runSome(tx, findings, checks));
}

/**
 * Runs as many of the checks as a short transaction has time for, and removes them from the list.
 */
async function runSome(tx: Tx, findings: Findings, checks: AuditCheck[]): Promise<void> {
  const startedAt = performance.now();
  do {
    await findings.run(tx, checks.splice(0, 1));
  } while (checks.length > 0 && performance.now() - startedAt < SHORT_MS);
}
