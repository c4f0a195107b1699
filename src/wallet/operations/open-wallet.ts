/**
 * Opens a wallet in a further currency for a merchant; with it come balance, statement and, where
 * enabled, bank funding in that currency.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { Currency } from '../../kernel/money.ts';
import { ensureAccount } from '../../ledger/account-store.ts';
import { walletAccount } from '../../ledger/chart-of-accounts.ts';
import { insertWallet, lockMerchant } from '../../merchants/merchant-store.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import { lockWallet } from '../wallet-store.ts';

/** Throws OperationError `no_merchant`. `changed` is false when it has the wallet already. */
export async function openWallet(
  tx: Tx,
  wallet: { readonly merchantCode: string; readonly environment: Environment; readonly currency: Currency },
  actor: ActorOrName,
): Promise<{ readonly changed: boolean }> {
  const { environment, currency } = wallet;
  const merchant = await requireMerchant(tx, wallet.merchantCode);
  // Two of them at once open one.
  await lockMerchant(tx, merchant.code);
  if ((await lockWallet(tx, merchant.id, environment, currency)) !== undefined) return { changed: false };
  const account = walletAccount(merchant.id, environment, currency);
  const accountId = await ensureAccount(tx, { ...account, merchantId: merchant.id });
  await insertWallet(tx, { accountId, merchantId: merchant.id, environment, currency });
  await recordOperation(tx, {
    actor,
    action: 'wallet.open',
    subject: `merchant:${merchant.code}`,
    after: { environment, currency },
  });
  await announceChange(tx, 'merchants');
  return { changed: true };
}
