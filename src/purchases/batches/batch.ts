/**
 * A batch: purchases that a merchant uploaded as one file. Pure.
 *
 * Guarantees: the reference of a row's purchase depends only on the file's purchases and on the
 * row's line. So one file, in any format or spelling, is one batch, and each row buys once.
 */
import { createHash } from 'node:crypto';
import type { Environment } from '../../core/environment.ts';
import type { PlanKind } from '../../core/products/plan-kind.ts';
import { kindsOf } from '../../core/products/registry.ts';
import type { Purchase, PurchaseRequest } from '../state/purchase.ts';

/**
 * - `ready`: every row is valid, and nothing was bought.
 * - `running`: a worker buys the rows.
 * - `paused`: it can continue.
 * - `stopped`: no further rows are bought.
 * - `done`: every row was bought or refused. Purchases may still be pending.
 */
export const batchStates = ['ready', 'running', 'paused', 'stopped', 'done'] as const;
export type BatchState = (typeof batchStates)[number];

/** Why the gateway paused a batch. */
export const pauseReasons = [
  'insufficient_funds',
  'over_daily_cap',
  'credential_ended',
  'merchant_suspended',
  'product_not_enabled',
  'no_wallet_to_pay',
] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** The purchase of one row. */
export type RowPurchase = Omit<PurchaseRequest, 'principal' | 'reference'>;

/** A row of a file whose rows are all valid. */
export type PricedRow = RowPurchase & {
  /** In kobo: the current charge to the wallet. */
  readonly charge: bigint;
};

/** A heading of the file, and the field that it was recognised as. Null: the column is ignored. */
export type Head = { readonly head: string; readonly field: string | null };

export type BatchOwner = { readonly merchantId: number; readonly environment: Environment };

export type Batch = {
  readonly merchant_id: number;
  readonly merchant_code: string;
  readonly id: string;
  readonly environment: Environment;
  readonly hash: string;
  readonly name: string;
  readonly credential_id: string;
  readonly created_by: string;
  readonly created_at: Date;
  readonly changed_at: Date;
  readonly heads: readonly Head[];
  readonly row_count: number;
  readonly duplicates: number;
  readonly face_value: bigint;
  readonly charge: bigint;
  readonly state: BatchState;
  readonly pause_reason: PauseReason | null;
  readonly next_line: number;
};

/** The number of rows with each outcome. `waiting` rows were not bought yet. */
export type BatchProgress = Readonly<
  Record<'waiting' | 'pending' | 'success' | 'failed' | 'refused', number>
> & {
  /** In kobo: the charges of successes. */
  readonly spent: bigint;
};

export type BatchRow = {
  readonly line: number;
  readonly product: string;
  readonly network: string;
  readonly planCode: string | undefined;
  /** The kind of airtime. Undefined: the usual one. */
  readonly planKind: PlanKind | undefined;
  readonly msisdn: string;
  readonly faceValue: bigint;
  readonly charge: bigint;
  readonly duplicateOf: number | undefined;
  /** The error code of a purchase that could not be stored. */
  readonly refusedWith: string | undefined;
  readonly purchase: Purchase | undefined;
};

export const batchRowsMax = 10_000;

/** The identity of the purchases of a file, in 32 hexadecimal digits. */
export function hashRows(rows: readonly RowPurchase[]): string {
  const hash = createHash('sha256');
  for (const row of rows) hash.update(`${identityOf(row)}\n`);
  return hash.digest('hex').slice(0, 32);
}

/** The merchant's reference of the purchase of a row. */
export function rowReference(hash: string, line: number): string {
  return `batch-${hash}-${line}`;
}

/** For each row, the line of the first row that buys the same; undefined for the first itself. */
export function findDuplicates(rows: readonly RowPurchase[]): (number | undefined)[] {
  const first = new Map<string, number>();
  return rows.map((row, index) => {
    const identity = identityOf(row);
    const line = first.get(identity);
    if (line === undefined) first.set(identity, index + 1);
    return line;
  });
}

/** Two spellings of a number, or of a plan, are the same purchase. */
function identityOf(row: RowPurchase): string {
  const { product, network, planCode, planKind, recipient, faceValue, phone } = row;
  const plan = planCode?.toLowerCase() ?? null;
  const kind = planKind ?? kindsOf(product)[0] ?? null;
  return JSON.stringify([product, network, plan, kind, recipient, String(faceValue), phone ?? null]);
}
