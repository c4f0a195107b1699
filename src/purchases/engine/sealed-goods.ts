/** Seals the goods of an order for their row of `sealed_goods`, and opens them. */
import type { Sql } from '../../db/database.ts';
import type { Goods } from '../../providers/provider.ts';
import { findSealedGoods } from './sealed-goods-store.ts';

/** The row and field that sealed goods belong to. */
export function goodsPlace(purchaseId: string): string {
  return `sealed_goods/${purchaseId}/sealed`;
}

/** Undefined if there are none, or `open` has no key for them. */
export async function openGoods(
  sql: Sql,
  open: (place: string, sealed: string) => string | undefined,
  purchase: { readonly merchantId: number; readonly purchaseId: string },
): Promise<Goods | undefined> {
  const sealed = await findSealedGoods(sql, purchase);
  const text = sealed === undefined ? undefined : open(goodsPlace(purchase.purchaseId), sealed);
  return text === undefined ? undefined : (JSON.parse(text) as Goods);
}
