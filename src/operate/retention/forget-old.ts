/**
 * Deletes or anonymises personal data in the background after its retention period.
 *
 * Guarantees: one process at a time works, in slices of one transaction each, so it can be killed
 * anywhere and continues there; at least half of the time is left to purchases; a purchase that is
 * not final or has an open alarm keeps its data.
 */

import { type SliceEnd, workDutyCycle } from '../../core/duty-cycle.ts';
import type { Queries, Tx } from '../../db/database.ts';
import { firstIdAt } from '../../purchases/search/search-filter.ts';
import { forgetBatch } from './batch-forgetting-store.ts';
import { forgetDestinations, forgetIdentities, lockRetention } from './contact-store.ts';
import { forgetDifferences } from './difference-store.ts';
import {
  anonymisePurchases,
  findUnpassed,
  type PurchaseKind,
  passBy,
  purchaseKinds,
  takeLeft,
} from './purchase-anonymising-store.ts';

const ROWS_PER_SLICE = 500;
const DAY_MS = 86_400_000;
const OVER_AFTER_DAYS = 3;

/** Retention periods in days. 0 keeps data forever. */
export type Periods = {
  readonly purchases: number;
  readonly customers: number;
  readonly deliveries: number;
  readonly identities: number;
};

type Bounds = { readonly [Kind in keyof Periods]: Date | undefined } & {
  /** Purchases that became final later are not final long enough. */
  readonly endedBefore: Date;
};

export class Forgetting {
  readonly #periods: Periods;
  readonly #now: () => Date;
  readonly #rows: number;

  constructor(periods: Periods, now: () => Date, rowsPerSlice = ROWS_PER_SLICE) {
    this.#periods = periods;
    this.#now = now;
    this.#rows = rowsPerSlice;
  }

  /** Works for some seconds. Returns how it ended. */
  async run(database: Queries): Promise<SliceEnd> {
    const bounds = this.#bounds();
    if (Object.values(this.#periods).every((days) => days === 0)) return 'done';
    return await workDutyCycle(() => database.transaction((tx) => forgetSlice(tx, bounds, this.#rows)));
  }

  #bounds(): Bounds {
    const now = this.#now().getTime();
    const of = (days: number): Date | undefined => (days === 0 ? undefined : new Date(now - days * DAY_MS));
    const { purchases, customers, deliveries, identities } = this.#periods;
    return {
      endedBefore: new Date(now - OVER_AFTER_DAYS * DAY_MS),
      purchases: of(purchases),
      customers: of(customers),
      deliveries: of(deliveries),
      identities: of(identities),
    };
  }
}

async function forgetSlice(tx: Tx, bounds: Bounds, rows: number): Promise<SliceEnd> {
  if (!(await lockRetention(tx))) return 'busy';
  for (const kind of purchaseKinds) {
    const bound = bounds[kind];
    if (
      bound !== undefined &&
      (await forgetPurchases(tx, kind, { bound, endedBefore: bounds.endedBefore }, rows))
    )
      return 'more';
  }
  for (const kind of purchaseKinds) {
    const bound = bounds[kind];
    if (bound !== undefined && (await forgetDifferences(tx, kind, bound, rows)) > 0) return 'more';
  }
  for (const kind of purchaseKinds) {
    const bound = bounds[kind];
    if (bound !== undefined && (await forgetBatch(tx, kind, bound))) return 'more';
  }
  const { deliveries, identities } = bounds;
  if (deliveries !== undefined && (await forgetDestinations(tx, deliveries, rows)) > 0) return 'more';
  if (identities !== undefined && (await forgetIdentities(tx, identities, rows)) > 0) return 'more';
  return 'done';
}

/** Anonymises a slice of purchases. Returns true if there may be more. */
async function forgetPurchases(
  tx: Tx,
  kind: PurchaseKind,
  { bound, endedBefore }: { readonly bound: Date; readonly endedBefore: Date },
  rows: number,
): Promise<boolean> {
  const below = firstIdAt(bound);
  const left = await takeLeft(tx, kind, { limit: rows, endedBefore });
  for (const [merchantId, keys] of Map.groupBy(left, ({ merchantId }) => merchantId)) {
    await anonymisePurchases(
      tx,
      kind,
      merchantId,
      keys.map(({ purchaseId }) => purchaseId),
    );
  }
  if (left.length > 0) return true;
  const unpassed = await findUnpassed(tx, kind, below);
  if (unpassed === undefined) return false;
  const { over } = await passBy(tx, kind, unpassed, { below, limit: rows, endedBefore });
  await anonymisePurchases(tx, kind, unpassed.merchantId, over);
  return true;
}
