/** Audits closed days one by one, their transfers in stretches of time, in short transactions. */

import { checksOver } from './audit-checks.ts';
import { type CheckedDay, closedDaySlice, listClosedDays, sumMovedWithin } from './audit-closed-day-store.ts';
import type { Findings } from './findings.ts';
import { type Shortly, SliceSize } from './walk-slices.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

export async function auditClosedDays(shortly: Shortly, findings: Findings): Promise<void> {
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
