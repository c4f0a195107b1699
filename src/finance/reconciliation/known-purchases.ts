/**
 * Finds purchases by their marks: pending ones, those of the last days of the merchants in
 * question, and entered ones. Marks are not stored, so they are computed again.
 */
import type { Sql } from '../../db/database.ts';
import { markOf } from '../../providers/reference-mark.ts';
import { findEntered } from './entered-store.ts';
import { listPendingPurchases, listPurchasesSince } from './finding-store.ts';
import { readSlices } from './read-slices.ts';

/** Finds the id of a purchase; undefined if it is unknown. */
export type KnownPurchases = { find(merchantId: number, mark: string): Promise<string | undefined> };

/** A purchase is final by then, so its orders are younger. */
const BEFORE_MS = 48 * 3_600_000;

export async function readKnownPurchases(
  sql: Sql,
  merchantIds: ReadonlySet<number>,
  /** The time of the oldest order. */
  firstAt: Date,
): Promise<KnownPurchases> {
  const byMark = new Map<string, string>();
  const note = (merchantId: number, reference: string, purchaseId: string): void => {
    byMark.set(`${merchantId}/${markOf({ environment: 'live', merchantId, reference })}`, purchaseId);
  };
  for (const merchantId of merchantIds) {
    const slices = readSlices(
      firstIdOf(new Date(firstAt.getTime() - BEFORE_MS)),
      (after, limit) => listPurchasesSince(sql, merchantId, after, limit),
      ({ id }) => id,
    );
    for await (const slice of slices) {
      for (const { id, reference } of slice) note(merchantId, reference, id);
    }
  }
  for (const row of await listPendingPurchases(sql, [...merchantIds])) {
    note(row.merchant_id, row.reference, row.id);
  }
  return {
    find: async (merchantId, mark) =>
      byMark.get(`${merchantId}/${mark}`) ??
      (await findEntered(sql, { merchantId, environment: 'live', mark })),
  };
}

/** Ids begin with their time of creation in milliseconds. */
function firstIdOf(at: Date): string {
  const digits = at.getTime().toString(16).padStart(12, '0');
  return `${digits.slice(0, 8)}-${digits.slice(8)}-0000-0000-000000000000`;
}
