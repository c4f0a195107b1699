/**
 * Cancels an unredeemed voucher: its value returns to the wallet that paid for it.
 *
 * Guarantees: either an order takes the voucher or it is cancelled, never both: each happens under
 * the lock of the merchant's wallet. All of it is stored together with the audit entry.
 */

import { Type } from 'typebox';
import type { ActorOrName } from '../../../core/actor.ts';
import { invariant, OperationError } from '../../../core/errors.ts';
import { formatAmount } from '../../../core/money.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import type { OperationErrorDetails } from '../../../core/operation-errors.ts';
import {
  amountOutput,
  environmentField,
  idField,
  inputOf,
  keyField,
  oneOf,
} from '../../../core/operation-fields.ts';
import type { Tx } from '../../../db/database.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { ensureAccount } from '../../ledger/account-store.ts';
import { vouchersAccount, vouchersFunded } from '../../ledger/chart-of-accounts.ts';
import { postTransfers } from '../../ledger/post-transfers.ts';
import { lockWallet } from '../../wallet-store.ts';
import { findVoucher, listVouchersOfIssue, markCancelled, type VoucherRow } from '../voucher-store.ts';
import { voucherAnswer, voucherOutput } from './show-voucher.ts';

/**
 * Returns the voucher as it was. Throws OperationError `no_voucher`, or that it is not open.
 */
export async function cancelVoucher(
  tx: Tx,
  id: string,
  actor: ActorOrName,
  merchantId?: number,
): Promise<VoucherRow> {
  const named = await findVoucher(tx, id, merchantId);
  if (named === undefined) throw new OperationError({ code: 'no_voucher', voucher: id });
  const wallet = await lockWallet(tx, named.merchant_id, named.environment, 'NGN');
  invariant(wallet !== undefined, 'a wallet that paid for a voucher stays');
  // The state under the lock.
  const voucher = await findVoucher(tx, id, named.merchant_id);
  invariant(voucher !== undefined, 'vouchers are never deleted');
  if (voucher.state !== 'open') throw new OperationError(refusal(voucher));
  await markCancelled(tx, voucher);
  await postTransfers(tx, {
    merchantId: voucher.merchant_id,
    subjectId: voucher.id,
    transfers: vouchersFunded('voucher_cancel', {
      walletAccount: wallet.account_id,
      vouchersAccount: await ensureAccount(tx, vouchersAccount(voucher.environment, 'NGN')),
      amount: voucher.value,
    }),
  });
  await recordOperation(tx, {
    actor,
    action: 'voucher.cancel',
    subject: `voucher:${voucher.id}`,
    before: { state: voucher.state },
    after: {
      state: 'cancelled',
      merchant: voucher.merchant_code,
      environment: voucher.environment,
      value: formatAmount(voucher.value),
    },
  });
  return voucher;
}

function refusal({ state, reference }: VoucherRow): OperationErrorDetails {
  switch (state) {
    case 'cancelled':
      return { code: 'voucher_cancelled' };
    case 'redeemed':
      return { code: 'voucher_redeemed', reference: reference ?? '' };
    default:
      return { code: 'voucher_taken', reference: reference ?? '' };
  }
}

export const cancelVoucherOperation = defineOperation({
  name: 'voucher.cancel',
  kind: 'act',
  summary: 'cancel a voucher that is open: its value goes back to the wallet; this cannot be undone',
  roles: treasurers,
  route: 'POST /vouchers/{voucher}/cancel',
  document: 'operators/merchants.md',
  movesMoney: true,
  confirm: 'Cancel this voucher for good?',
  input: inputOf({ voucher: idField, key: keyField }),
  output: Type.Object({
    id: Type.String(),
    merchant: Type.String(),
    environment: environmentField,
    value: amountOutput,
    state: oneOf(['cancelled']),
  }),
  run: async ({ tx, actor }: Acting, { voucher }) => {
    const { id, merchant_code: merchant, environment, value } = await cancelVoucher(tx, voucher, actor);
    return { id, merchant, environment, value: formatAmount(value), state: 'cancelled' as const };
  },
});

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
    const voucher = await findVoucher(tx, id, first.merchant_id);
    invariant(voucher !== undefined, 'vouchers are never deleted');
    if (voucher.state === 'open') cancelled.push(await cancelVoucher(tx, id, actor, first.merchant_id));
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
  document: 'operators/merchants.md',
  movesMoney: true,
  confirm: 'Cancel all open vouchers of this issue for good?',
  input: inputOf({ issue: idField, key: keyField }),
  output: Type.Object({
    issue: Type.String(),
    cancelled: Type.Integer(),
    value: amountOutput,
    /** Vouchers that were not open and were not changed. */
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
