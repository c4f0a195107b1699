/**
 * An order that a voucher pays: the voucher is looked up here and taken when the order is accepted,
 * in the same transaction. It brings the order's charge to the merchant's wallet, which holds it
 * and pays as for any order.
 */
import type { KeyObject } from 'node:crypto';
import type { Sql } from '../../db/database.ts';
import { GatewayError, invariant } from '../../kernel/errors.ts';
import type { IdSource } from '../../kernel/ids.ts';
import { voucherRedeemed } from '../../ledger/chart-of-accounts.ts';
import { hashVoucherCode } from '../../vouchers/voucher-code.ts';
import { findVoucherByCode } from '../../vouchers/voucher-store.ts';
import type { JudgedRequest } from '../path/judged-request.ts';
import type { Resolver } from '../path/resolve-vend.ts';
import type { OrderRequest } from './order.ts';

export type VoucherDependencies = {
  readonly sql: Sql;
  readonly pepper: KeyObject;
  readonly newId: IdSource;
  readonly houseAccounts: Pick<Resolver['houseAccounts'], 'vouchers'>;
};

/**
 * The same order, with the voucher it names. Whether that is redeemed or cancelled is judged when
 * the order is accepted: a repeated order must first be known for one. Throws GatewayError:
 * `no_such_voucher`, `plan_above_voucher`.
 */
export async function payByVoucher(
  dependencies: VoucherDependencies,
  request: OrderRequest,
  judged: JudgedRequest,
): Promise<JudgedRequest> {
  if (request.voucherCode === undefined) return judged;
  const { merchant, environment } = request.principal;
  const codeHash = hashVoucherCode(dependencies.pepper, environment, request.voucherCode);
  const voucher = await findVoucherByCode(
    dependencies.sql,
    { merchantId: merchant.id, environment },
    codeHash,
  );
  if (voucher === undefined) throw new GatewayError({ code: 'no_such_voucher' });
  const { charge, walletId } = judged;
  if (voucher.value < charge) {
    throw new GatewayError({ code: 'plan_above_voucher', role: 'plan', price: charge, value: voucher.value });
  }
  invariant(charge > 0n, 'no plan is for nothing');
  const settleId = dependencies.newId();
  return {
    ...judged,
    details: { ...judged.details, voucher: { id: voucher.id, settleId, value: String(voucher.value) } },
    voucher: {
      id: voucher.id,
      redeemId: dependencies.newId(),
      settleId,
      transfers: voucherRedeemed({
        walletAccount: walletId,
        vouchersAccount: dependencies.houseAccounts.vouchers(environment),
        amount: charge,
      }),
    },
  };
}
