/**
 * Buys the rows of running batches, slice by slice, each as a separate async purchase.
 *
 * Guarantees: a row buys once, because its purchase has its own reference. So a slice can be cut
 * short anywhere and bought again by any process, also by two at a time: rows that already have a
 * purchase are refused as repeats. A batch has few pending purchases at a time and uses the
 * merchant's share of concurrent requests, so other sales are not displaced.
 */
import { GatewayError } from '../../core/errors.ts';
import type { Failpoints } from '../../core/failpoints.ts';
import type { ProductName } from '../../core/products/product.ts';
import type { RequestFault } from '../../core/request-fault.ts';
import type { Database } from '../../db/database.ts';
import { workAll } from '../../db/queue/work-all.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Purchase, PurchaseMode, PurchaseRequest } from '../state/purchase.ts';
import { type PauseReason, pauseReasons, rowReference } from './batch.ts';
import {
  type ClaimedBatch,
  claimBatches,
  continueBatch,
  countPendingRows,
  type DueRow,
  finishBatch,
  pauseBatch,
  quarantineBatch,
  readDueRows,
  updateRefusedRows,
} from './batch-work-store.ts';
import { availableFor } from './change-batch.ts';

export type BatchWorkDependencies = {
  readonly database: Database;
  readonly failpoints: Failpoints;
  /** Undefined for a credential that is revoked, expired or waits for a confirmation. */
  readonly principalOf: (credentialId: string) => Promise<Principal | undefined>;
  readonly purchase: (request: PurchaseRequest, mode: PurchaseMode) => Promise<Purchase>;
};

const BATCHES_AT_ONCE = 8;
/** Rows that are bought at the same time. */
const SLICE_ROWS = 8;
/**
 * The maximum number of pending purchases among the latest rows. Older ones wait for a provider,
 * not for us.
 */
const PENDING_MAX = 32;
const PENDING_AMONG = 4 * PENDING_MAX;
/** How long a batch waits while the gateway or the providers are busy. */
const BUSY_MS = 1_000;
const FULL_MS = 250;

/** A run ends after this number of slices, so that a shutdown need not wait for a long batch. */
const SLICES_MAX = 16;

/** Buys slices of the due batches. Returns how many it bought. */
export async function workBatches(dependencies: BatchWorkDependencies): Promise<number> {
  let worked = 0;
  for (let slice = 0; slice < SLICES_MAX; slice += 1) {
    const claimed = await claimBatches(dependencies.database, BATCHES_AT_ONCE);
    worked += await workAll(
      claimed,
      (batch) => buySlice(dependencies, batch),
      (batch) => quarantineBatch(dependencies.database, batch),
    );
    if (claimed.length === 0) break;
  }
  return worked;
}

async function buySlice(dependencies: BatchWorkDependencies, batch: ClaimedBatch): Promise<void> {
  const { database, failpoints, principalOf } = dependencies;
  const principal = await principalOf(batch.credential_id);
  const pending = await countPendingRows(database, batch, PENDING_AMONG);
  // One by one if there is a cap, so that the cap refuses at most one row.
  const room = Math.min(PENDING_MAX - pending, principal?.capped === true ? 1 : SLICE_ROWS);
  if (room <= 0) return void (await continueBatch(database, batch, batch.next_line, FULL_MS));
  const rows = await readDueRows(database, batch, room);
  if (rows.length === 0) return void (await finishBatch(database, batch));
  const reason = principal === undefined ? 'credential_ended' : await lacksMoney(dependencies, batch, rows);
  if (principal === undefined || reason !== undefined) {
    await pauseBatch(database, batch, batch.next_line, reason ?? 'credential_ended');
    return;
  }
  const fates = await Promise.all(rows.map((row) => buyRow(dependencies, principal, batch, row)));
  await failpoints.reach('before-batch-continues');
  await settleSlice(dependencies, batch, rows, fates);
}

/** A row whose charge the wallet cannot pay would be stored as a failed purchase. */
async function lacksMoney(
  { database }: BatchWorkDependencies,
  batch: ClaimedBatch,
  rows: readonly DueRow[],
): Promise<PauseReason | undefined> {
  const charge = rows.reduce((sum, row) => sum + row.charge, 0n);
  return charge > (await availableFor(database, batch)) ? 'insufficient_funds' : undefined;
}

/** The result of a row. */
type Fate =
  | { readonly kind: 'bought' }
  /** No purchase can be stored for it. */
  | { readonly kind: 'refused'; readonly code: RequestFault['code'] }
  /** It can be bought shortly, or was bought and its answer was lost. */
  | { readonly kind: 'later' }
  /** The batch waits for a person; `isBought` says whether the row has its purchase. */
  | { readonly kind: 'pause'; readonly reason: PauseReason; readonly isBought: boolean };

async function buyRow(
  { purchase }: BatchWorkDependencies,
  principal: Principal,
  batch: ClaimedBatch,
  row: DueRow,
): Promise<Fate> {
  try {
    const { reason } = await purchase(requestOf(principal, batch, row), 'async');
    return reason === 'insufficient_funds' || reason === 'over_daily_cap'
      ? { kind: 'pause', reason, isBought: true }
      : { kind: 'bought' };
  } catch (error) {
    if (error instanceof GatewayError) return fateOf(error);
    throw error;
  }
}

function requestOf(principal: Principal, { hash }: ClaimedBatch, row: DueRow): PurchaseRequest {
  return {
    principal,
    reference: rowReference(hash, row.line),
    product: row.product as ProductName,
    network: row.network,
    planCode: row.plan_code ?? undefined,
    planKind: row.plan_kind ?? undefined,
    msisdn: row.msisdn,
    recipient: row.recipient,
    faceValue: row.face_value,
    phone: row.phone ?? undefined,
  };
}

/** Conditions that pass without any action of the merchant: the row is tried again. */
const passing: ReadonlySet<RequestFault['code']> = new Set([
  'requests_full',
  'purchases_full',
  'purchase_not_stored',
  'outcome_unknown',
  'providers_busy',
  'provider_look_ups_full',
  'credentials_full',
  'database_away',
  'selling_paused',
  'purchases_locked',
  'no_provider',
]);

function fateOf({ faults }: GatewayError): Fate {
  const [{ code } = { code: 'database_away' as const }] = faults;
  if (code === 'reference_used') return { kind: 'bought' };
  if (passing.has(code)) return { kind: 'later' };
  const reason = pauseReasons.find((one) => one === code);
  return reason === undefined ? { kind: 'refused', code } : { kind: 'pause', reason, isBought: false };
}

/**
 * Continues after the rows that have a purchase or never will. Rows behind a waiting one may
 * already be bought; they are recognised as repeats.
 */
async function settleSlice(
  { database }: BatchWorkDependencies,
  batch: ClaimedBatch,
  rows: readonly DueRow[],
  fates: readonly Fate[],
): Promise<void> {
  const waits = fates.findIndex((fate) => fate.kind === 'later' || (fate.kind === 'pause' && !fate.isBought));
  const nextLine = rows[waits]?.line ?? (rows.at(-1)?.line ?? batch.next_line - 1) + 1;
  const refused = new Map(
    fates.flatMap((fate, index) => (fate.kind === 'refused' ? [[rows[index]?.line ?? 0, fate.code]] : [])),
  );
  const pause = fates.find((fate) => fate.kind === 'pause');
  await database.transaction(async (tx) => {
    // The lease is checked first: a batch that was paused meanwhile is not advanced.
    const isOurs =
      pause === undefined
        ? await continueBatch(tx, batch, nextLine, waits === -1 ? 0 : BUSY_MS)
        : await pauseBatch(tx, batch, nextLine, pause.reason);
    if (isOurs && refused.size > 0) await updateRefusedRows(tx, batch, refused);
  });
}
