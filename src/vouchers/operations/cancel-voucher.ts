/**
 * Cancels a voucher that nobody redeemed: its value goes back to the wallet that gave it.
 *
 * Guarantees: an order takes the voucher or it is cancelled, never both: either is done under the
 * lock of the merchant's wallet. What is stored is stored together with the operator's act.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { Tx } from '../../db/database.ts';
import { GatewayError, invalidField, invariant } from '../../kernel/errors.ts';
import { formatAmount } from '../../kernel/money.ts';
import { ensureAccount } from '../../ledger/account-store.ts';
import { vouchersAccount, vouchersFunded } from '../../ledger/chart-of-accounts.ts';
import { postTransfers } from '../../ledger/post-transfers.ts';
import { lockWallet } from '../../wallet/wallet-store.ts';
import { findVoucher, markCancelled, type VoucherRow } from '../voucher-store.ts';

/**
 * Gives the voucher as it was. Throws GatewayError: `not_found`, or `invalid` for one that is not
 * open.
 */
export async function cancelVoucher(tx: Tx, id: string, actor: string): Promise<VoucherRow> {
  const named = await findVoucher(tx, id);
  if (named === undefined) throw new GatewayError('not_found', `there is no voucher ${id}`);
  const wallet = await lockWallet(tx, named.merchant_id, named.environment, 'NGN');
  invariant(wallet !== undefined, 'a wallet that paid for a voucher stays');
  // As it stands under the lock.
  const voucher = await findVoucher(tx, id);
  invariant(voucher !== undefined, 'vouchers are never deleted');
  if (voucher.state !== 'open') throw invalidField('voucher', refusal(voucher));
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

function refusal({ state, reference }: VoucherRow): string {
  switch (state) {
    case 'cancelled':
      return 'the voucher is cancelled already';
    case 'redeemed':
      return `the voucher was redeemed by order ${reference}`;
    default:
      return `order ${reference} has the voucher and is not final: look again later`;
  }
}
