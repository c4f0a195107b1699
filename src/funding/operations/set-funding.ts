/**
 * Lets a merchant have a funding account in a currency, or no longer. Money that comes in on an
 * account there is already is credited all the same.
 */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import type { Environment } from '../../kernel/environment.ts';
import { OperationError } from '../../kernel/errors.ts';
import type { Currency } from '../../kernel/money.ts';
import { requireMerchant } from '../../merchants/require-merchant.ts';
import { listWallets } from '../../wallet/wallet-store.ts';
import { deleteFundingCurrency, insertFundingCurrency } from '../identity-store.ts';

/**
 * Throws OperationError: `no_merchant`, `merchant_has_no_wallet`. `changed` is false when it was so
 * already.
 */
export async function setFunding(
  tx: Tx,
  change: {
    readonly merchantCode: string;
    readonly environment: Environment;
    readonly currency: Currency;
    readonly enabled: boolean;
  },
  actor: ActorOrName,
): Promise<{ readonly changed: boolean }> {
  const { environment, currency, enabled } = change;
  const merchant = await requireMerchant(tx, change.merchantCode);
  const wallets = await listWallets(tx, merchant.id);
  if (enabled && !wallets.some((row) => row.environment === environment && row.currency === currency)) {
    throw new OperationError({
      code: 'merchant_has_no_wallet',
      merchant: merchant.code,
      environment,
      currency,
    });
  }
  const owner = { merchantId: merchant.id, environment };
  const changed = enabled
    ? await insertFundingCurrency(tx, owner, currency)
    : await deleteFundingCurrency(tx, owner, currency);
  if (changed) {
    await recordOperation(tx, {
      actor,
      action: enabled ? 'funding.enable' : 'funding.disable',
      subject: `merchant:${merchant.code}`,
      before: { environment, currency, enabled: !enabled },
      after: { environment, currency, enabled },
    });
  }
  return { changed };
}
