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
import { insertTransfers, lockWallets } from './transfer-store.ts';

export type Posting = {
  /** The merchant whose business it is; 0 where the house moves money between its own accounts. */
  readonly merchantId: number;
  /** The deposit or correction it belongs to: a UUID. */
  readonly subjectId: string;
  readonly transfers: readonly Transfer[];
  readonly memo?: string;
};

export async function postTransfers(tx: Tx, posting: Posting): Promise<void> {
  const { merchantId, transfers } = posting;
  invariant(
    transfers.length > 0 && transfers.every((transfer) => transfer.amount > 0n),
    'every transfer moves money',
  );
  const accountIds = transfers.flatMap(({ debit, credit }) => [debit, credit]);
  const [wallet, ...others] = await lockWallets(tx, merchantId, accountIds);
  invariant(others.length === 0, 'the transfers of a subject move one wallet');
  await insertTransfers(tx, wallet, posting);
}
