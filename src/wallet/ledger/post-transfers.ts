/**
 * Posts the transfers of one subject: of corrections and deposits. (The transfers of a purchase are
 * posted by the database function that makes it final, for many purchases at once, by the same
 * rules.)
 *
 * Guarantees: the transfers, the wallets they move and the deltas of house accounts are stored
 * together or not at all; the same transfer of the same subject cannot be posted twice; a wallet
 * cannot go below its floor. A breach of any of these ends the transaction.
 */

import { invariant } from '../../core/errors.ts';
import type { Tx } from '../../db/database.ts';
import type { Transfer } from './chart-of-accounts.ts';
import { insertHouseDeltas, insertTransfers, lockWallets, moveWallets } from './transfer-store.ts';

export type Posting = {
  /** The merchant whose business it is; 0 where the house moves money between its own accounts. */
  readonly merchantId: number;
  /** The deposit or correction it belongs to: a UUID. */
  readonly subjectId: string;
  readonly transfers: readonly Transfer[];
  readonly memo?: string;
};

export async function postTransfers(tx: Tx, posting: Posting): Promise<void> {
  invariant(
    posting.transfers.length > 0 && posting.transfers.every((transfer) => transfer.amount > 0n),
    'every transfer moves money',
  );
  const deltas = netByAccount(posting.transfers);
  const wallets = await lockWallets(tx, [...deltas.keys()]);
  const { merchantId, subjectId, memo } = posting;
  await insertTransfers(tx, { merchantId, subjectId, memo }, posting.transfers);
  await moveWallets(
    tx,
    onlyWhere(deltas, (accountId) => wallets.has(accountId)),
  );
  await insertHouseDeltas(
    tx,
    onlyWhere(deltas, (accountId) => !wallets.has(accountId)),
  );
}

/** Returns the gain of each account (credits less debits), without accounts that gain nothing. */
function netByAccount(transfers: readonly Transfer[]): Map<bigint, bigint> {
  const net = new Map<bigint, bigint>();
  for (const { debit, credit, amount } of transfers) {
    net.set(debit, (net.get(debit) ?? 0n) - amount);
    net.set(credit, (net.get(credit) ?? 0n) + amount);
  }
  return onlyWhere(net, (_accountId, delta) => delta !== 0n);
}

function onlyWhere(
  deltas: ReadonlyMap<bigint, bigint>,
  keep: (accountId: bigint, delta: bigint) => boolean,
): Map<bigint, bigint> {
  return new Map([...deltas].filter(([accountId, delta]) => keep(accountId, delta)));
}
