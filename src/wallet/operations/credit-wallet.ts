/**
 * Corrects a wallet manually: a transfer between it and the corrections account, in either
 * direction, with a reason.
 *
 * Guarantees: the transfer, the wallet and the audit entry are stored together; a wallet never
 * falls below its floor, nor below the holds of its pending purchases.
 */

import { Type } from 'typebox';
import type { ActorOrName } from '../../core/actor.ts';
import type { Environment } from '../../core/environment.ts';
import { OperationError } from '../../core/errors.ts';
import { type IdSource, newId } from '../../core/ids.ts';
import { type Currency, formatAmount, parseSignedAmount } from '../../core/money.ts';
import { defineOperation, treasurers } from '../../core/operation.ts';
import {
  amountOutput,
  currencyField,
  environmentField,
  inputOf,
  keyField,
  merchantField,
  signedAmountField,
  text,
} from '../../core/operation-fields.ts';
import type { Tx } from '../../db/database.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import type { Acting } from '../../oversight/log/acting.ts';
import { recordOperation } from '../../oversight/log/audit-log-store.ts';
import type { WalletBalance } from '../balance.ts';
import { ensureAccount } from '../ledger/account-store.ts';
import { correctionsAccount, walletCorrected } from '../ledger/chart-of-accounts.ts';
import { postTransfers } from '../ledger/post-transfers.ts';
import { requireWallet } from '../require-wallet.ts';
import { lockWallet, type WalletRow } from '../wallet-store.ts';

const MEMO_LENGTH_MAX = 200;

export type WalletCorrection = {
  readonly merchantCode: string;
  readonly environment: Environment;
  readonly currency: Currency;
  /** In minor units; positive credits the wallet, negative debits it. */
  readonly amount: bigint;
  /** The reason, for readers of the books. */
  readonly memo: string;
};

export type CorrectedWallet = {
  /** The subject of the transfer. */
  readonly correctionId: string;
  readonly before: WalletBalance;
  readonly after: WalletBalance;
};

/**
 * Throws OperationError if the merchant or wallet does not exist, the amount is zero, the memo is
 * invalid, or the wallet has too little.
 */
export async function creditWallet(
  tx: Tx,
  correction: WalletCorrection,
  actor: ActorOrName,
  mintId: IdSource = newId,
): Promise<CorrectedWallet> {
  const { environment, currency, amount } = correction;
  const memo = correction.memo.trim();
  if (amount === 0n) throw new OperationError({ code: 'correction_of_nothing' });
  if (memo === '' || memo.length > MEMO_LENGTH_MAX || /\p{Cc}/u.test(memo)) {
    throw new OperationError({ code: 'memo_malformed', lengthMax: MEMO_LENGTH_MAX });
  }
  const merchant = await requireMerchant(tx, correction.merchantCode);
  const corrections = await ensureAccount(tx, correctionsAccount(environment, currency));
  const found = await lockWallet(tx, merchant.id, environment, currency);
  const wallet = requireWallet(found, merchant, environment, currency);
  checkFloor(wallet, amount);
  const correctionId = mintId();
  await postTransfers(tx, {
    merchantId: merchant.id,
    subjectId: correctionId,
    transfers: walletCorrected({
      walletAccount: wallet.account_id,
      correctionsAccount: corrections,
      amount,
    }),
    memo,
  });
  const before = balanceOf(wallet);
  const after = { ...before, posted: before.posted + amount };
  await recordOperation(tx, {
    actor,
    action: 'wallet.credit',
    // The audit finds the audit entry of each correction by this.
    subject: `correction:${correctionId}`,
    before: { posted: formatAmount(before.posted) },
    after: {
      merchant: merchant.code,
      environment,
      currency,
      amount: formatAmount(amount),
      posted: formatAmount(after.posted),
      memo,
    },
  });
  return { correctionId, before, after };
}

function checkFloor(wallet: WalletRow, amount: bigint): void {
  const available = wallet.posted - wallet.held - wallet.floor;
  if (amount >= 0n || available + amount >= 0n) return;
  const { posted, held, floor } = wallet;
  throw new OperationError({ code: 'wallet_cannot_give', amount: -amount, posted, held, floor });
}

function balanceOf(wallet: WalletRow): WalletBalance {
  return { posted: wallet.posted, held: wallet.held, floor: wallet.floor };
}

export const creditWalletOperation = defineOperation({
  name: 'wallet.credit',
  kind: 'act',
  summary:
    'correct a wallet by a transfer from or to the corrections account; a negative amount takes money, never below the held money and the floor',
  roles: treasurers,
  route: 'POST /merchants/{merchant}/wallet/corrections',
  document: 'operators/merchants.md',
  movesMoney: true,
  input: inputOf({
    merchant: merchantField,
    amount: signedAmountField,
    environment: environmentField,
    currency: currencyField,
    memo: text('why, in 1 to 200 characters of plain text: the merchant sees it in its statement', {
      maxLength: MEMO_LENGTH_MAX,
    }),
    key: keyField,
  }),
  output: Type.Object({
    correction_id: Type.String(),
    merchant: Type.String(),
    environment: environmentField,
    currency: currencyField,
    amount: amountOutput,
    posted_before: amountOutput,
    posted: amountOutput,
  }),
  gives: ({ amount, environment, currency }) => ({
    environment,
    currency,
    amount: parseSignedAmount(amount) ?? 0n,
  }),
  run: async ({ tx, actor }: Acting, { merchant: merchantCode, amount: text, ...order }) => {
    const amount = parseSignedAmount(text) ?? 0n;
    const { correctionId, before, after } = await creditWallet(tx, { ...order, merchantCode, amount }, actor);
    return {
      correction_id: correctionId,
      merchant: merchantCode,
      environment: order.environment,
      currency: order.currency,
      amount: formatAmount(amount),
      posted_before: formatAmount(before.posted),
      posted: formatAmount(after.posted),
    };
  },
});
