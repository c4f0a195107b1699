/**
 * What an order brought, sealed for the row of `sealed_goods` that it belongs to, and opened again.
 */
import type { Sql } from '../../db/database.ts';
import type { Goods } from '../../providers/provider.ts';
import { findSealedGoods } from './sealed-goods-store.ts';

/** Which row and field sealed goods belong to. */
export function goodsPlace(purchaseId: string): string {
  return `sealed_goods/${purchaseId}/sealed`;
}

/** Undefined while there are none, or where `open` has no key for them. */
export async function openGoods(
  sql: Sql,
  open: (place: string, sealed: string) => string | undefined,
  purchase: { readonly merchantId: number; readonly purchaseId: string },
): Promise<Goods | undefined> {
  const sealed = await findSealedGoods(sql, purchase);
  const text = sealed === undefined ? undefined : open(goodsPlace(purchase.purchaseId), sealed);
  return text === undefined ? undefined : (JSON.parse(text) as Goods);
}
