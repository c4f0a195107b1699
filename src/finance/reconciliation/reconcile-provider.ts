/**
 * Compares the orders and movements that a provider reported for a period with the purchases and
 * the ledger, and stores each difference in its temporary table. Nothing else is changed.
 *
 * The difference between the provider's charges and the books equals the effects of all differences
 * plus the money of orders that are pending on both sides. If a run's sums are not equal, it
 * throws, because the run itself would be wrong.
 */

import { invariant } from '../../core/errors.ts';
import { formatAmount } from '../../core/money.ts';
import type { OnProgress } from '../../core/progress.ts';
import type { Sql } from '../../db/database.ts';
import type { Period } from '../../providers/statements/statement-line.ts';
import { MovementComparison, NEAR_MS } from './compare-movement.ts';
import { compareOrder, type Party } from './compare-order.ts';
import { type FoundDifference, insertDifferences } from './difference-store.ts';
import { isOver } from './finding.ts';
import { findSettled } from './finding-store.ts';
import { groupReportedLines } from './group-lines-store.ts';
import { listReportedMovements, listUnreportedMovements, type ReportedMovement } from './movements-store.ts';
import {
  listPendingAt,
  listReportedOrders,
  listUnreportedOrders,
  preferIndexes,
  type UnreportedOrder,
} from './our-orders-store.ts';
import { readSlices } from './read-slices.ts';

export type ProviderSums = {
  /** For orders, in kobo: the provider's charge, and the cost in the books. */
  readonly taken: bigint;
  readonly booked: bigint;
  readonly underWay: bigint;
  readonly topUps: bigint;
  readonly charges: bigint;
  /** All money out less money in, on both sides. */
  readonly netThere: bigint;
  readonly netHere: bigint;
  readonly orders: number;
  /**
   * The number of movements that were matched by kind, amount and time because one side has no id.
   */
  readonly matchedByAmount: number | undefined;
};

/** An order so near an end of the period may be reported in the next one. */
const EDGE_MS = 5 * 60_000;
const SPAN_MS = 60_000;
const SPAN_MAX_MS = 6 * 3_600_000;
/** Spans grow while a query is fast, and shrink when it is slow. */
const SLICE_MS = 100;

export async function reconcileProvider(
  sql: Sql,
  party: Party,
  period: Period,
  onProgress: OnProgress,
): Promise<ProviderSums> {
  await groupReportedLines(sql, party);
  await preferIndexes(sql);
  const reported = await compareReportedOrders(sql, party, onProgress);
  const unreported = await compareUnreportedOrders(sql, party, period, onProgress);
  const moved = await compareMovements(sql, party, period);
  const effects = reported.effects + unreported.effects + moved.effects;
  const sums = {
    taken: reported.taken,
    booked: reported.booked + unreported.booked,
    underWay: reported.underWay,
    topUps: moved.comparison.topUps,
    charges: moved.comparison.charges,
    netThere: reported.taken + moved.comparison.taken,
    netHere: reported.booked + unreported.booked + moved.comparison.booked,
    orders: reported.orders,
    matchedByAmount: moved.comparison.matchedByAmount || undefined,
  };
  invariant(
    sums.netThere - sums.netHere === effects + sums.underWay,
    `differences of ${formatAmount(effects)} explain ${formatAmount(sums.netThere - sums.netHere)}`,
  );
  return sums;
}

async function compareReportedOrders(sql: Sql, party: Party, onProgress: OnProgress) {
  const sums = { taken: 0n, booked: 0n, underWay: 0n, effects: 0n, orders: 0 };
  const of = { provider: party.name, environment: party.environment };
  const slices = readSlices(
    0n,
    (after, limit) => listReportedOrders(sql, of, after, limit),
    ({ id }) => id,
  );
  for await (const orders of slices) {
    const found: FoundDifference[] = [];
    for (const order of orders) {
      const compared = compareOrder(order, party);
      sums.taken += compared.taken;
      sums.booked += compared.booked;
      sums.underWay += compared.underWay;
      found.push(...compared.differences);
    }
    sums.effects += effectOf(found);
    sums.orders += orders.length;
    await insertDifferences(sql, await withVerdicts(sql, party, found));
    onProgress({ step: 'comparing', done: sums.orders, unit: 'orders' });
  }
  return sums;
}

/** Compares the orders that the books have and the provider did not report. */
async function compareUnreportedOrders(sql: Sql, party: Party, { from, to }: Period, onProgress: OnProgress) {
  const sums = { booked: 0n, effects: 0n };
  const of = { provider: party.name, environment: party.environment };
  let lengthMs = SPAN_MS;
  let done = 0;
  // There are no orders in the future.
  const last = Math.min(to.getTime(), Date.now() + SPAN_MAX_MS);
  for (let at = from.getTime(); at < last; ) {
    const end = Math.min(at + lengthMs, last);
    const startedMs = performance.now();
    const rows = await listUnreportedOrders(sql, of, new Date(at), new Date(end));
    const tookMs = performance.now() - startedMs;
    const found = rows.map((row) => unreportedDifference(row, { from, to }));
    for (const one of found) sums.booked -= one.effect;
    sums.effects += effectOf(found);
    await insertDifferences(sql, found);
    done += rows.length;
    onProgress({ step: 'looking for orders that were not reported', done, unit: 'orders' });
    lengthMs = tookMs < SLICE_MS ? Math.min(2 * lengthMs, SPAN_MAX_MS) : Math.max(SPAN_MS, lengthMs / 2);
    at = end;
  }
  return sums;
}

function unreportedDifference(order: UnreportedOrder, { from, to }: Period): FoundDifference {
  const at = order.started_at ?? from;
  const isSuccess = order.status === 'success';
  const isAtEdge = at.getTime() - from.getTime() < EDGE_MS || to.getTime() - at.getTime() < EDGE_MS;
  const spent = isSuccess ? (order.cost ?? 0n) - order.refunded : 0n;
  const { purchase, merchant_code: merchant, reference } = order;
  const kind = isSuccess ? 'unknown_there_success_here' : 'unknown_there_pending_here';
  return {
    kind: isAtEdge ? 'at_the_edge' : kind,
    reference,
    merchant_id: order.merchant_id,
    purchase_id: order.purchase_id,
    at,
    amount: isSuccess ? (order.cost ?? 0n) : (order.face_value ?? 0n),
    effect: -spent,
    here: isSuccess
      ? `success of ${merchant}, cost ${formatAmount(order.cost ?? 0n)}`
      : `pending, of ${merchant}`,
    there: 'not reported',
    purchase,
  };
}

async function compareMovements(sql: Sql, party: Party, { from, to }: Period) {
  const of = { provider: party.name, environment: party.environment };
  const near = { from: new Date(from.getTime() - NEAR_MS), to: new Date(to.getTime() + NEAR_MS) };
  const unreported = await listUnreportedMovements(sql, of, near.from, near.to);
  const comparison = new MovementComparison(party, { from, to }, unreported);
  let effects = 0n;
  const note = async (found: readonly FoundDifference[]): Promise<void> => {
    effects += effectOf(found);
    await insertDifferences(sql, await withVerdicts(sql, party, found));
  };
  const readMovements = (): AsyncGenerator<readonly ReportedMovement[]> =>
    readSlices(
      0n,
      (after, limit) => listReportedMovements(sql, of, after, limit),
      ({ id }) => id,
    );
  for (const nearness of ['same day', 'near'] as const) {
    if (!comparison.hasOpen) break;
    for await (const lines of readMovements()) {
      for (const line of lines) comparison.match(line, nearness);
    }
  }
  for await (const lines of readMovements()) {
    await note(lines.map((line) => comparison.compare(line)).filter((one) => one !== undefined));
  }
  await note(comparison.rest());
  return { comparison, effects };
}

/** Adds the verdicts of earlier runs. A failed order that was settled is no longer a difference. */
async function withVerdicts(
  sql: Sql,
  { name }: Party,
  found: readonly FoundDifference[],
): Promise<readonly FoundDifference[]> {
  const references = found.flatMap(({ listed, reference }) => (listed ? (reference ?? []) : []));
  if (references.length === 0) return found;
  const settled = await findSettled(sql, name, references);
  return found
    .map((one) => (one.listed ? { ...one, verdict: settled.get(one.reference ?? '') } : one))
    .filter(({ listed, verdict }) => !listed || verdict === undefined || !isOver(listed));
}

function effectOf(found: readonly FoundDifference[]): bigint {
  return found.reduce((sum, { effect }) => sum + effect, 0n);
}

/** More than these are left to a later run: the oldest come first. */
const PENDING_MAX = 10_000;

/**
 * Records each purchase that is pending at a provider without a list and without a file, and
 * returns how many. A run that applies queries each of them.
 */
export async function recordPending(sql: Sql, { name: provider, environment }: Party): Promise<number> {
  const rows = await listPendingAt(sql, { provider, environment }, PENDING_MAX);
  await insertDifferences(
    sql,
    rows.map(({ merchant_code: merchant, ...row }) => ({
      kind: 'pending_here',
      reference: row.reference,
      merchant_id: row.merchant_id,
      purchase_id: row.purchase_id,
      at: row.started_at,
      amount: row.charge,
      effect: 0n,
      here: `pending, of ${merchant}, charge ${formatAmount(row.charge)}`,
      there: row.delivered ? 'reported success before' : 'not queried',
      purchase: row.purchase,
    })),
  );
  return rows.length;
}
