/**
 * The costs of a sync airtime purchase, as measured on the machine of docs/scale.md. `npm run bench
 * -- cost` measures them anywhere; every figure can be given to `npm run capacity`. Times are
 * microseconds.
 */

export const measured = {
  /** The gateway's thread, for the whole purchase. */
  gatewayUs: 101,
  /** PostgreSQL's processors, in the two transactions of the purchase. */
  moneyUs: 72,
  /** PostgreSQL's processors, in background work for the purchase: roll-ups, deletions. */
  backgroundUs: 8,
  /** Items in one commit at the peak. A purchase has two: accept and resolve. */
  itemsPerCommit: 40,
  /** PostgreSQL's cost of an empty batch, in items (src/core/limits.ts, `batchBesideMin`). */
  batchInItems: 12,
  /** A flush of the log to the disk. */
  flushUs: 280,
  /** The load generator's cost per purchase. */
  clientUs: 40,
  /** Tables and indexes, and the log, per purchase. */
  diskBytes: 960,
  walBytes: 1_900,
} as const;

export type Cost = { readonly [Name in keyof typeof measured]: number };

/** PostgreSQL's cost per item of a batch, and per batch. */
export function batchCost(cost: Cost): { readonly itemUs: number; readonly batchUs: number } {
  // A purchase is two items, each with its share of its batch's cost.
  const itemUs = cost.moneyUs / 2 / (1 + cost.batchInItems / cost.itemsPerCommit);
  return { itemUs, batchUs: itemUs * cost.batchInItems };
}
