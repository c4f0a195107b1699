/** Assigns a deposit in suspense to a merchant, once, less the fee. */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import type { Environment } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { type Currency, formatAmount, requireFormatted } from '../../core/money.ts';
import { defineOperation, treasurers } from '../../core/operation.ts';
import {
  amountOutput,
  currencyField,
  environmentField,
  idField,
  inputOf,
  keyField,
  merchantField,
} from '../../core/operation-fields.ts';
import type { Tx } from '../../db/database.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import { insertEvent } from '../../notifications/events/event-store.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import { ensureAccount } from '../../wallet/ledger/account-store.ts';
import {
  depositCredited,
  depositFeesAccount,
  suspenseAccount,
} from '../../wallet/ledger/chart-of-accounts.ts';
import { postTransfers } from '../../wallet/ledger/post-transfers.ts';
import { requireWallet } from '../../wallet/require-wallet.ts';
import { lockWallet } from '../../wallet/wallet-store.ts';
import { depositEvent, depositFee } from '../credit-deposit.ts';
import { findDeposit, insertAssignment } from '../deposit-store.ts';

export type Assignment = {
  readonly merchant: string;
  /** In minor units: the deposit, the fee, and the balance after it. */
  readonly gross: bigint;
  readonly fee: bigint;
  readonly posted: bigint;
  readonly environment: Environment;
  readonly currency: Currency;
};

/**
 * Assigns the deposit. Throws OperationError: `no_deposit`, `no_merchant`,
 * `merchant_has_no_wallet`, `deposit_credited`.
 */
export async function assignDeposit(
  tx: Tx,
  { depositId, merchantCode }: { readonly depositId: string; readonly merchantCode: string },
  actor: ActorOrName,
): Promise<Assignment> {
  const deposit = await findDeposit(tx, depositId);
  if (deposit === undefined) throw new OperationError({ code: 'no_deposit', deposit: depositId });
  const { environment, currency, gross } = deposit;
  const merchant = await requireMerchant(tx, merchantCode);
  const fee = depositFee(currency, gross);
  const isFree = deposit.merchant_code === null;
  if (!isFree || !(await insertAssignment(tx, { depositId, merchantId: merchant.id, fee }))) {
    throw new OperationError({ code: 'deposit_credited', deposit: depositId });
  }
  const suspense = await ensureAccount(tx, suspenseAccount(environment, currency));
  const fees = await ensureAccount(tx, depositFeesAccount(environment, currency));
  const found = await lockWallet(tx, merchant.id, environment, currency);
  const wallet = requireWallet(found, merchant, environment, currency);
  await postTransfers(tx, {
    merchantId: merchant.id,
    subjectId: depositId,
    transfers: depositCredited({
      suspenseAccount: suspense,
      feesAccount: fees,
      walletAccount: wallet.account_id,
      gross,
      fee,
    }),
    memo: `${deposit.provider} ${deposit.provider_reference}`,
  });
  await insertEvent(
    tx,
    { merchantId: merchant.id, environment },
    depositEvent({ id: depositId, currency, gross, fee }),
  );
  const posted = wallet.posted + gross - fee;
  await recordOperation(tx, {
    actor,
    action: 'deposit.assign',
    subject: `deposit:${depositId}`,
    before: { merchant: null },
    after: { merchant: merchant.code, gross: formatAmount(gross), fee: formatAmount(fee) },
  });
  return { merchant: merchant.code, environment, currency, gross, fee, posted };
}

export const assignDepositOperation = defineOperation({
  name: 'deposit.assign',
  kind: 'act',
  summary: 'credit a deposit from suspense to a merchant, less the fee; this cannot be undone',
  roles: treasurers,
  route: 'POST /deposits/{deposit}/assign',
  document: 'operators/funding.md',
  movesMoney: true,
  confirm: 'Credit the deposit to this merchant permanently?',
  input: inputOf({ deposit: idField, merchant: merchantField, key: keyField }),
  output: Type.Object({
    deposit: Type.String(),
    merchant: Type.String(),
    environment: environmentField,
    currency: currencyField,
    gross: amountOutput,
    fee: amountOutput,
    net: amountOutput,
    posted: amountOutput,
  }),
  gives: (_, { environment, currency, net }) => ({ environment, currency, amount: requireFormatted(net) }),
  run: async ({ tx, actor }: Acting, { deposit, merchant: merchantCode }) => {
    const depositId = deposit.toLowerCase();
    const assigned = await assignDeposit(tx, { depositId, merchantCode }, actor);
    const { merchant, environment, currency, gross, fee, posted } = assigned;
    return {
      deposit: depositId,
      merchant,
      environment,
      currency,
      gross: formatAmount(gross),
      fee: formatAmount(fee),
      net: formatAmount(gross - fee),
      posted: formatAmount(posted),
    };
  },
});
