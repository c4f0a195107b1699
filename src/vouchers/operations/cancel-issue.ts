/**
 * Cancels what is still open of an issue of vouchers, as a whole: after codes were lost, or went to
 * the wrong hands. What was redeemed, or is taken by an order, stays as it is.
 *
 * All of it is done in one transaction, under the lock of the wallet that paid.
 */

import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import { invariant, OperationError } from '../../kernel/errors.ts';
import { lockWallet } from '../../wallet/wallet-store.ts';
import { findVoucher, listVouchersOfIssue, type VoucherRow } from '../voucher-store.ts';
import { cancelVoucher } from './cancel-voucher.ts';

/** Throws OperationError `no_voucher_issue`. */
export async function cancelIssue(
  tx: Tx,
  issueId: string,
  actor: ActorOrName,
): Promise<{ readonly cancelled: readonly VoucherRow[]; readonly kept: readonly VoucherRow[] }> {
  const issued = await listVouchersOfIssue(tx, issueId);
  const [first] = issued;
  if (first === undefined) throw new OperationError({ code: 'no_voucher_issue', issue: issueId });
  const wallet = await lockWallet(tx, first.merchant_id, first.environment, 'NGN');
  invariant(wallet !== undefined, 'a wallet that paid for a voucher stays');
  const cancelled: VoucherRow[] = [];
  const kept: VoucherRow[] = [];
  for (const { id } of issued) {
    const voucher = await findVoucher(tx, id);
    invariant(voucher !== undefined, 'vouchers are never deleted');
    if (voucher.state === 'open') cancelled.push(await cancelVoucher(tx, id, actor));
    else kept.push(voucher);
  }
  return { cancelled, kept };
}
