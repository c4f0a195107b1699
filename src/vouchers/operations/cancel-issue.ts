/**
 * Cancels what is still open of an issue of vouchers, as a whole: after codes were lost, or went to
 * the wrong hands. What was redeemed, or is taken by an order, stays as it is.
 *
 * All of it is done in one transaction, under the lock of the wallet that paid.
 */

import { Type } from 'typebox';
import type { Acting } from '../../audit-log/acting.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import { invariant, OperationError } from '../../kernel/errors.ts';
import { formatAmount } from '../../kernel/money.ts';
import { defineOperation, treasurers } from '../../kernel/operation.ts';
import { amountOutput, idField, inputOf, keyField } from '../../kernel/operation-fields.ts';
import { lockWallet } from '../../wallet/wallet-store.ts';
import { voucherAnswer, voucherOutput } from '../voucher-answer.ts';
import { findVoucher, listVouchersOfIssue, type VoucherRow } from '../voucher-store.ts';
import { cancelVoucher } from './cancel-voucher.ts';

/** Throws OperationError `no_voucher_issue`. */
async function cancelIssue(
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

export const cancelIssueOperation = defineOperation({
  name: 'voucher.cancel_issue',
  kind: 'act',
  summary:
    'cancel all vouchers of an issue that are open: their value goes back to the wallet; this cannot be undone',
  roles: treasurers,
  route: 'POST /voucher-issues/{issue}/cancel',
  document: 'operators/vouchers.md',
  movesMoney: true,
  confirm: 'Cancel all open vouchers of this issue for good?',
  input: inputOf({ issue: idField, key: keyField }),
  output: Type.Object({
    issue: Type.String(),
    cancelled: Type.Integer(),
    value: amountOutput,
    /** Those that were not open, and stay as they are. */
    kept: Type.Array(voucherOutput),
  }),
  run: async ({ tx, actor }: Acting, { issue }) => {
    const { cancelled, kept } = await cancelIssue(tx, issue, actor);
    return {
      issue: issue.toLowerCase(),
      cancelled: cancelled.length,
      value: formatAmount(cancelled.reduce((sum, { value }) => sum + value, 0n)),
      kept: kept.map(voucherAnswer),
    };
  },
});
