/**
 * Stores batches, and starts, pauses, resumes and stops them. Repeating a change changes nothing.
 *
 * Guarantees: a batch starts only when the balance covers it, and duplicates are bought only when
 * the merchant allows them.
 */
import type { Environment } from '../../core/environment.ts';
import { assertNever } from '../../core/errors.ts';
import type { Sql, Tx } from '../../db/database.ts';
import { findWalletOf } from '../../wallet/wallet-store.ts';
import {
  type Batch,
  type BatchOwner,
  type BatchState,
  findDuplicates,
  type Head,
  hashRows,
  type PricedRow,
} from './batch.ts';
import { findBatchByHash, insertBatch, lockBatch, updateBatchState } from './batch-store.ts';

/** A file whose rows are all valid. */
export type PricedFile = { readonly heads: readonly Head[]; readonly rows: readonly PricedRow[] };

/** Why a row of a file cannot be bought. */
export type RowFault = {
  /** 1 is the first row below the headings. */
  readonly line: number;
  /** The heading of the wrong column. Null: the row as a whole. */
  readonly column: string | null;
  /** The stable code of the cause. */
  readonly reason: string;
  readonly message: string;
};

/** A file that was not stored, because some of its rows cannot be bought. */
export type UnfitFile = {
  readonly kind: 'unfit';
  readonly heads: readonly Head[];
  readonly rowCount: number;
  readonly badRows: number;
  /** The first errors. */
  readonly faults: readonly RowFault[];
};

export type StoredFile = { readonly kind: 'stored'; readonly batch: Batch; readonly isNew: boolean };

/** Returns the batch of the file: a new one, or the existing one. */
export async function storeBatch(
  tx: Tx,
  owner: BatchOwner,
  { heads, rows }: PricedFile,
  given: {
    readonly id: string;
    readonly name: string;
    readonly credentialId: string;
    readonly createdBy: string;
  },
): Promise<StoredFile> {
  const hash = hashRows(rows);
  const firsts = findDuplicates(rows);
  const marked = rows.map((row, index) => ({ ...row, duplicateOf: firsts[index] }));
  const isNew = await insertBatch(tx, { ...owner, ...given, hash, heads, rows: marked });
  const batch = await findBatchByHash(tx, owner, hash);
  if (batch === undefined) throw new Error('a stored batch is found by its hash');
  return { kind: 'stored', batch, isNew };
}

export type BatchChange = Exclude<BatchState, 'ready' | 'done'>;

export type Changed =
  | { readonly kind: 'changed'; readonly batch: Batch; readonly before: BatchState }
  | { readonly kind: 'unknown' }
  /** It is stopped or done. */
  | { readonly kind: 'ended'; readonly state: BatchState }
  /** It was not started, so it cannot be paused. */
  | { readonly kind: 'not_started' }
  | { readonly kind: 'duplicates'; readonly count: number }
  | { readonly kind: 'not_covered'; readonly charge: bigint; readonly available: bigint };

export async function changeBatch(
  tx: Tx,
  named: { readonly merchantId: number; readonly id: string; readonly environment?: Environment },
  to: BatchChange,
  { allowDuplicates = false }: { readonly allowDuplicates?: boolean | undefined } = {},
): Promise<Changed> {
  const { merchantId, id } = named;
  const batch = await lockBatch(tx, merchantId, id, named.environment);
  if (batch === undefined) return { kind: 'unknown' };
  if (batch.state === to) return { kind: 'changed', batch, before: batch.state };
  const refused = await refuseChange(tx, batch, to, allowDuplicates);
  if (refused !== undefined) return refused;
  await updateBatchState(tx, merchantId, id, to);
  return { kind: 'changed', batch: { ...batch, state: to, pause_reason: null }, before: batch.state };
}

async function refuseChange(
  sql: Sql,
  batch: Batch,
  to: BatchChange,
  allowDuplicates: boolean,
): Promise<Changed | undefined> {
  const { state, duplicates, charge } = batch;
  if (state === 'stopped' || state === 'done') return { kind: 'ended', state };
  switch (to) {
    case 'stopped':
      return undefined;
    case 'paused':
      return state === 'ready' ? { kind: 'not_started' } : undefined;
    case 'running': {
      if (state !== 'ready') return undefined;
      if (duplicates > 0 && !allowDuplicates) return { kind: 'duplicates', count: duplicates };
      const available = await availableFor(sql, batch);
      return charge > available ? { kind: 'not_covered', charge, available } : undefined;
    }
    default:
      return assertNever(to);
  }
}

/** The available balance of the wallet that pays for the batch, in kobo. */
export async function availableFor(
  sql: Sql,
  { merchant_id, environment }: Pick<Batch, 'merchant_id' | 'environment'>,
): Promise<bigint> {
  const wallet = await findWalletOf(sql, merchant_id, environment, 'NGN');
  return wallet === undefined ? 0n : wallet.posted - wallet.held - wallet.floor;
}
