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
  anonymiseDifferences,
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

  /**
   * Works for some seconds. Returns how it ended. `coordinator`: where the rest is, if `database`
   * is a cell on another server.
   */
  async run(database: Queries, coordinator?: Queries): Promise<SliceEnd> {
    const bounds = this.#bounds();
    if (Object.values(this.#periods).every((days) => days === 0)) return 'done';
    const end = await workDutyCycle(() =>
      database.transaction((tx) => forgetSlice(tx, bounds, this.#rows, coordinator)),
    );
    if (coordinator === undefined || end !== 'done') return end;
    return await workDutyCycle(() =>
      coordinator.transaction(async (tx) => {
        if (!(await lockRetention(tx))) return 'busy';
        const isMore =
          (await forgetOldDifferences(tx, bounds, this.#rows)) ||
          (await forgetOldIdentities(tx, bounds, this.#rows));
        return isMore ? 'more' : 'done';
      }),
    );
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

async function forgetSlice(
  tx: Tx,
  bounds: Bounds,
  rows: number,
  coordinator: Queries | undefined,
): Promise<SliceEnd> {
  if (!(await lockRetention(tx))) return 'busy';
  for (const kind of purchaseKinds) {
    const bound = bounds[kind];
    if (
      bound !== undefined &&
      (await forgetPurchases(tx, kind, { bound, endedBefore: bounds.endedBefore }, rows, coordinator))
    )
      return 'more';
  }
  if (coordinator === undefined && (await forgetOldDifferences(tx, bounds, rows))) return 'more';
  for (const kind of purchaseKinds) {
    const bound = bounds[kind];
    if (bound !== undefined && (await forgetBatch(tx, kind, bound))) return 'more';
  }
  const { deliveries } = bounds;
  if (deliveries !== undefined && (await forgetDestinations(tx, deliveries, rows)) > 0) return 'more';
  if (coordinator === undefined && (await forgetOldIdentities(tx, bounds, rows))) return 'more';
  return 'done';
}

/** Returns true if there may be more. */
async function forgetOldDifferences(tx: Tx, bounds: Bounds, rows: number): Promise<boolean> {
  for (const kind of purchaseKinds) {
    const bound = bounds[kind];
    if (bound !== undefined && (await forgetDifferences(tx, kind, bound, rows)) > 0) return true;
  }
  return false;
}

/** Returns true if there may be more. */
async function forgetOldIdentities(tx: Tx, { identities }: Bounds, rows: number): Promise<boolean> {
  return identities !== undefined && (await forgetIdentities(tx, identities, rows)) > 0;
}

/** Anonymises a slice of purchases. Returns true if there may be more. */
async function forgetPurchases(
  tx: Tx,
  kind: PurchaseKind,
  { bound, endedBefore }: { readonly bound: Date; readonly endedBefore: Date },
  rows: number,
  coordinator: Queries | undefined,
): Promise<boolean> {
  const anonymise = async (merchantId: number, ids: readonly string[]): Promise<void> => {
    if (coordinator === undefined) return await anonymisePurchases(tx, kind, merchantId, ids);
    // Committed first, and repeated if this process dies before the cell's part is.
    await coordinator.transaction((there) => anonymiseDifferences(there, kind, merchantId, ids));
    await anonymisePurchases(tx, kind, merchantId, ids, 'cell');
  };
  const below = firstIdAt(bound);
  const left = await takeLeft(tx, kind, { limit: rows, endedBefore });
  for (const [merchantId, keys] of Map.groupBy(left, ({ merchantId }) => merchantId)) {
    await anonymise(
      merchantId,
      keys.map(({ purchaseId }) => purchaseId),
    );
  }
  if (left.length > 0) return true;
  const unpassed = await findUnpassed(tx, kind, below);
  if (unpassed === undefined) return false;
  const { over } = await passBy(tx, kind, unpassed, { below, limit: rows, endedBefore });
  await anonymise(unpassed.merchantId, over);
  return true;
}
