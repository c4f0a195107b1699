/**
 * Corrects a wallet by hand: a transfer between it and the corrections account, either way, with
 * the reason in words.
 *
 * Guarantees: the transfer, the wallet and the operator's act are stored together; a wallet is
 * never taken under its floor, nor below what its pending vends hold.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import type { Environment } from '../../kernel/environment.ts';
import { OperationError } from '../../kernel/errors.ts';
import { type IdSource, newId } from '../../kernel/ids.ts';
import { type Currency, formatAmount } from '../../kernel/money.ts';
import { ensureAccount } from '../../ledger/account-store.ts';
import { correctionsAccount, walletCorrected } from '../../ledger/chart-of-accounts.ts';
import { postTransfers } from '../../ledger/post-transfers.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import type { WalletBalance } from '../balance.ts';
import { findCorrectionKey, insertCorrectionKey } from '../correction-key-store.ts';
import { lockWallet, type WalletRow } from '../wallet-store.ts';

const MEMO_LENGTH_MAX = 200;

export type WalletCorrection = {
  readonly merchantCode: string;
  readonly environment: Environment;
  readonly currency: Currency;
  /** In minor units: above zero onto the wallet, below zero off it. */
  readonly amount: bigint;
  /** Why, for whoever reads the books. */
  readonly memo: string;
  /**
   * The operator's own name of it, such as the bank's reference: each is booked once on a wallet.
   */
  readonly key?: string | undefined;
};

export type CorrectedWallet = {
  /** The subject of the transfer. */
  readonly correctionId: string;
  /** It was booked before under its key, and nothing was done now. */
  readonly isRepeat: boolean;
  readonly before: WalletBalance;
  readonly after: WalletBalance;
};

/**
 * Throws OperationError for a merchant or wallet that is not there, an amount of zero, a memo of
 * the wrong form, and more than the wallet can give.
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
  const wallet = await lockWallet(tx, merchant.id, environment, currency);
  if (wallet === undefined) {
    throw new OperationError({
      code: 'merchant_has_no_wallet',
      merchant: merchant.code,
      environment,
      currency,
    });
  }
  const booked = await findKeyed(tx, wallet, correction);
  if (booked !== undefined) {
    return { correctionId: booked, isRepeat: true, before: balanceOf(wallet), after: balanceOf(wallet) };
  }
  checkFloor(wallet, amount);
  const correctionId = mintId();
  if (correction.key !== undefined) {
    await insertCorrectionKey(tx, {
      walletId: wallet.account_id,
      key: correction.key,
      subjectId: correctionId,
      amount,
    });
  }
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
      ...(correction.key !== undefined && { key: correction.key }),
    },
  });
  return { correctionId, isRepeat: false, before, after };
}

/** What was booked under the key; the wallet is locked, so nobody books it meanwhile. */
async function findKeyed(
  tx: Tx,
  wallet: WalletRow,
  { key, amount }: WalletCorrection,
): Promise<string | undefined> {
  if (key === undefined) return undefined;
  if (!/^[\x21-\x7e]{1,100}$/.test(key)) throw new OperationError({ code: 'correction_key_malformed' });
  const known = await findCorrectionKey(tx, wallet.account_id, key);
  if (known === undefined) return undefined;
  if (known.amount !== amount) {
    throw new OperationError({ code: 'correction_key_used', key, amount: known.amount });
  }
  return known.subject_id;
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
