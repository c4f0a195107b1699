/**
 * Issues vouchers of one value. The codes are returned once and never stored. The merchant's wallet
 * pays their value, which is then owed to the redeemers.
 *
 * Guarantees: vouchers, the transfer and the audit entry are stored together; a wallet never falls
 * below its floor, nor below the holds of its pending purchases.
 */

import type { KeyObject } from 'node:crypto';
import { Type } from 'typebox';
import type { ActorOrName } from '../../../core/actor.ts';
import type { Environment } from '../../../core/environment.ts';
import { OperationError } from '../../../core/errors.ts';
import { type IdSource, newId } from '../../../core/ids.ts';
import { formatAmount, parseAmount, requireFormatted } from '../../../core/money.ts';
import { nullableText } from '../../../core/nullable.ts';
import { defineOperation, treasurers } from '../../../core/operation.ts';
import {
  amountField,
  amountOutput,
  environmentField,
  inputOf,
  keyField,
  merchantField,
} from '../../../core/operation-fields.ts';
import type { Tx } from '../../../db/database.ts';
import { requireMerchant } from '../../../merchants/require-merchant.ts';
import type { Acting } from '../../../oversight/log/acting.ts';
import { recordOperation } from '../../../oversight/log/audit-log-store.ts';
import { ensureAccount } from '../../ledger/account-store.ts';
import { vouchersAccount, vouchersFunded } from '../../ledger/chart-of-accounts.ts';
import { postTransfers } from '../../ledger/post-transfers.ts';
import { requireWallet } from '../../require-wallet.ts';
import { lockWallet } from '../../wallet-store.ts';
import { hashVoucherCode, hintOfCode, newVoucherCode, showVoucherCode } from '../voucher-code.ts';
import { insertVouchers } from '../voucher-store.ts';

const COUNT_MAX = 1_000;
/** Ten million naira. */
const VALUE_MAX = 1_000_000_000n;

export type VoucherIssue = {
  readonly merchantCode: string;
  readonly environment: Environment;
  /** The value of each, in kobo. */
  readonly value: bigint;
  readonly count: number;
};

export type IssuedVouchers = {
  readonly issueId: string;
  readonly merchantCode: string;
  /** The value of all, in kobo. */
  readonly total: bigint;
  readonly vouchers: readonly { readonly id: string; readonly code: string }[];
};

/**
 * Throws OperationError if the merchant or wallet does not exist, or the wallet cannot pay.
 */
export async function issueVouchers(
  tx: Tx,
  pepper: KeyObject,
  issue: VoucherIssue,
  actor: ActorOrName,
  mintId: IdSource = newId,
): Promise<IssuedVouchers> {
  const { environment, value, count } = issue;
  checkTerms(issue);
  const merchant = await requireMerchant(tx, issue.merchantCode);
  const vouchersAccountId = await ensureAccount(tx, vouchersAccount(environment, 'NGN'));
  const found = await lockWallet(tx, merchant.id, environment, 'NGN');
  const wallet = requireWallet(found, merchant, environment, 'NGN');
  const total = value * BigInt(count);
  const available = wallet.posted - wallet.held - wallet.floor;
  if (total > available) {
    throw new OperationError({
      code: 'vouchers_above_balance',
      merchant: merchant.code,
      environment,
      available,
      count,
      value,
    });
  }
  const issueId = mintId();
  const made = Array.from({ length: count }, () => ({ id: mintId(), code: newVoucherCode() }));
  await insertVouchers(
    tx,
    { merchantId: merchant.id, environment, issueId, value },
    made.map(({ id, code }) => ({
      id,
      codeHash: hashVoucherCode(pepper, environment, code),
      hint: hintOfCode(code),
    })),
  );
  await postTransfers(tx, {
    merchantId: merchant.id,
    subjectId: issueId,
    transfers: vouchersFunded('voucher_issue', {
      walletAccount: wallet.account_id,
      vouchersAccount: vouchersAccountId,
      amount: total,
    }),
  });
  await recordOperation(tx, {
    actor,
    action: 'voucher.issue',
    subject: `voucher-issue:${issueId}`,
    after: {
      merchant: merchant.code,
      environment,
      count,
      value: formatAmount(value),
      total: formatAmount(total),
    },
  });
  return {
    issueId,
    merchantCode: merchant.code,
    total,
    vouchers: made.map(({ id, code }) => ({ id, code: showVoucherCode(code) })),
  };
}

function checkTerms({ value, count }: VoucherIssue): void {
  if (value <= 0n || value > VALUE_MAX) {
    throw new OperationError({ code: 'voucher_value_malformed', max: VALUE_MAX });
  }
  if (!Number.isInteger(count) || count < 1 || count > COUNT_MAX) {
    throw new OperationError({ code: 'voucher_count_malformed', max: COUNT_MAX });
  }
}

export const issueVouchersOperation = defineOperation({
  name: 'voucher.issue',
  kind: 'act',
  summary: "issue vouchers of one value, paid from the merchant's wallet; their codes are shown once",
  roles: treasurers,
  route: 'POST /merchants/{merchant}/vouchers',
  document: 'operators/merchants.md',
  movesMoney: true,
  showsSecret: true,
  input: inputOf({
    merchant: merchantField,
    value: { ...amountField, description: 'an amount in naira such as 5000 or 5000.50, of each' },
    count: Type.Integer({
      description: `a whole number from 1 to ${COUNT_MAX}`,
      minimum: 1,
      maximum: COUNT_MAX,
    }),
    environment: environmentField,
    key: keyField,
  }),
  output: Type.Object({
    issue: Type.String(),
    merchant: Type.String(),
    environment: environmentField,
    value: amountOutput,
    total: amountOutput,
    /** A code is null if the issue is repeated under its key: codes are shown once. */
    vouchers: Type.Array(Type.Object({ id: Type.String(), code: nullableText })),
  }),
  withoutSecret: (output) => ({
    ...output,
    vouchers: output.vouchers.map(({ id }) => ({ id, code: null })),
  }),
  gives: (_, { environment, total }) => ({ environment, currency: 'NGN', amount: requireFormatted(total) }),
  run: async (
    { tx, actor, pepper }: Acting & { readonly pepper: () => Promise<KeyObject> },
    { merchant: merchantCode, environment, value: text, count },
  ) => {
    const value = parseAmount(text) ?? 0n;
    const issue = { merchantCode, environment, value, count };
    const issued = await issueVouchers(tx, await pepper(), issue, actor);
    return {
      issue: issued.issueId,
      merchant: issued.merchantCode,
      environment,
      value: formatAmount(value),
      total: formatAmount(issued.total),
      vouchers: [...issued.vouchers],
    };
  },
});
