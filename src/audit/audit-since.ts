/**
 * The audit of what is new: goes on from an earlier audit that found everything in order.
 *
 * Guarantees: each vend, transfer and what belongs to them that the earlier audit's moment did not
 * see is audited, with all that is said of the same vend, and so is all that is pending. The sums
 * that were proven then, and what was added since, must be the balances of now. What it does not
 * see is a change of rows that are older: that is for the whole audit. It costs what is new, what
 * is open, and the tables that checks of a moment read.
 */
import type { Queries } from '../db/database.ts';
import { unwatched } from '../kernel/progress.ts';
import {
  attemptReferenceSlice,
  type ChangedKey,
  changeSlice,
  listChanged,
  vendReferenceSlice,
} from './audit-change-store.ts';
import { checksOver } from './audit-checks.ts';
import type { AuditMark } from './audit-run-store.ts';
import { sumsSeen } from './audit-store.ts';
import { addWindow, readCut, type Sums } from './audit-sum-store.ts';
import {
  type Audited,
  auditMoments,
  auditTables,
  type Slicing,
  shortlyOn,
  tellSlices,
} from './audit-vends.ts';
import { Findings } from './findings.ts';
import { auditAuditLog } from './walk-audit-log.ts';
import { walkKeys, walkNewMarks, walkOpen, walkTime } from './walk-changes.ts';
import { auditClosedDays } from './walk-closed-days.ts';
import type { Shortly } from './walk-slices.ts';

/** Of vends and other subjects. They are kept in memory, some 100 bytes each. */
const CHANGED_MAX = 2_000_000;

/** A closing that was under way when the audit before began took less. */
const CLOSING_MS = 3_600_000;

/** Gives undefined where so much is new that the whole audit is the better one. */
export async function auditSince(
  database: Pick<Queries, 'transaction'>,
  mark: AuditMark,
  {
    rowsPerSlice,
    onProgress = unwatched,
    changedMax = CHANGED_MAX,
  }: Slicing & { readonly changedMax?: number } = {},
): Promise<Audited | undefined> {
  const findings = new Findings();
  const shortly = shortlyOn(database);
  const toldAs = (step: string): Shortly => tellSlices(shortly, step, onProgress);
  const cut = await shortly((tx) => readCut(tx));
  await auditMoments(shortly, findings);
  const tableSums = await auditTables(toldAs('deposits and vouchers'), rowsPerSlice, findings, cut);
  const sums: Sums = { moved: new Map(mark.sums.moved), vends: new Map(mark.sums.vends) };
  const changed = new ChangedKeys();
  await walkTime(toldAs('what is new'), mark.at, cut.at, async (tx, window) => {
    if (changed.size > changedMax) return;
    await addWindow(tx, mark, cut, window, sums);
    changed.add(await listChanged(tx, mark, window));
  });
  for (const table of ['pending_vends', 'late_goods'] as const)
    await walkOpen(toldAs('what is open'), table, (keys) => changed.add(keys));
  if (changed.size > changedMax) return undefined;
  await walkKeys(toldAs('purchases and transfers'), rowsPerSlice, changed.list(), async (tx, keys) => {
    await findings.run(tx, checksOver('slice'), changeSlice(keys));
    await findings.run(tx, checksOver('vend references'), vendReferenceSlice(keys));
    await findings.run(tx, checksOver('attempt references'), attemptReferenceSlice(keys));
  });
  await auditAuditLog(toldAs('audit log'), rowsPerSlice, findings, mark.auditLog);
  await auditClosedDays(toldAs('closed days'), findings, new Date(mark.at.getTime() - CLOSING_MS));
  await walkNewMarks(toldAs('statements'), mark.statements, (tx, slice) =>
    findings.run(tx, checksOver('marks'), slice),
  );
  await shortly((tx) => findings.run(tx, checksOver('sums'), sumsSeen(cut, sums, tableSums)));
  return { checks: findings.results(), cut, sums };
}

/** Each key once. */
class ChangedKeys {
  readonly #ofMerchant = new Map<number, Set<string>>();
  size = 0;

  add(keys: readonly ChangedKey[]): void {
    for (const { merchantId, id } of keys) {
      const ids = this.#ofMerchant.get(merchantId) ?? new Set();
      this.#ofMerchant.set(merchantId, ids);
      const before = ids.size;
      ids.add(id);
      this.size += ids.size - before;
    }
  }

  /** Those of a merchant together, in the order of the tables. */
  list(): ChangedKey[] {
    return [...this.#ofMerchant].flatMap(([merchantId, ids]) =>
      [...ids].sort().map((id) => ({ merchantId, id })),
    );
  }
}
