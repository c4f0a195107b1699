/** Enables or disables a product on a merchant's profile. */

import { recordOperation } from '../../audit-log/audit-log-store.ts';
import { announceChange } from '../../db/change-notice-store.ts';
import type { Tx } from '../../db/database.ts';
import type { ActorOrName } from '../../kernel/actor.ts';
import type { Environment } from '../../kernel/environment.ts';
import type { VendProduct } from '../../products/product.ts';
import { deleteMerchantProduct, insertMerchantProduct } from '../merchant-store.ts';
import { requireMerchant } from '../require-merchant.ts';

/** Throws OperationError `no_merchant`. `changed` is false when it was so already. */
export async function setProduct(
  tx: Tx,
  change: {
    readonly merchantCode: string;
    readonly environment: Environment;
    readonly product: VendProduct;
    readonly enabled: boolean;
  },
  actor: ActorOrName,
): Promise<{ readonly changed: boolean }> {
  const { environment, product, enabled } = change;
  const merchant = await requireMerchant(tx, change.merchantCode);
  const changed = enabled
    ? await insertMerchantProduct(tx, merchant.id, environment, product)
    : await deleteMerchantProduct(tx, merchant.id, environment, product);
  if (changed) {
    await recordOperation(tx, {
      actor,
      action: enabled ? 'merchant.enable_product' : 'merchant.disable_product',
      subject: `merchant:${merchant.code}`,
      before: { environment, product, enabled: !enabled },
      after: { environment, product, enabled },
    });
    await announceChange(tx, 'merchants');
  }
  return { changed };
}
