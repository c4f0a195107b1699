/** Opens the sealed goods of a purchase for the merchant that bought it. */

import { invariant } from '../../core/errors.ts';
import { isSealed } from '../../core/products/registry.ts';
import type { Sealer } from '../../core/sealing.ts';
import type { Sql } from '../../db/database.ts';
import type { Goods } from '../../providers/provider.ts';
import { goodsPlace } from '../engine/sealed-goods.ts';
import { findSealedGoods } from '../engine/sealed-goods-store.ts';
import type { Purchase } from '../state/purchase.ts';

export type PurchaseOpener = { readonly sql: Sql; readonly sealer: Pick<Sealer, 'open'> };

/** Unchanged if nothing is sealed, or no goods have come yet. */
export async function openPurchase({ sql, sealer }: PurchaseOpener, purchase: Purchase): Promise<Purchase> {
  if (purchase.status !== 'success' || !isSealed(purchase.product)) return purchase;
  const { merchantId, id: purchaseId } = purchase;
  const sealed = await findSealedGoods(sql, { merchantId, purchaseId });
  if (sealed === undefined) return purchase;
  const opened = sealer.open(goodsPlace(purchaseId), sealed);
  invariant(opened !== undefined, 'a key of this gateway opens what purchases brought');
  return { ...purchase, goods: JSON.parse(opened) as Goods };
}
