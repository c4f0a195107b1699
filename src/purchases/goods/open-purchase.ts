/**
 * A purchase with what it brought, for the merchant who bought it: opened where it is kept sealed.
 */
import type { Sql } from '../../db/database.ts';
import { invariant } from '../../core/errors.ts';
import type { Sealer } from '../../core/sealing.ts';
import { isSealed } from '../../core/products/registry.ts';
import type { Goods } from '../../providers/provider.ts';
import { goodsPlace } from '../engine/sealed-goods.ts';
import { findSealedGoods } from '../engine/sealed-goods-store.ts';
import type { Vend } from '../state/purchase.ts';

export type VendOpener = { readonly sql: Sql; readonly sealer: Pick<Sealer, 'open'> };

/** As it is where nothing is sealed, or nothing has come yet. */
export async function openVend({ sql, sealer }: VendOpener, vend: Vend): Promise<Vend> {
  if (vend.status !== 'success' || !isSealed(vend.product)) return vend;
  const { merchantId, id: vendId } = vend;
  const sealed = await findSealedGoods(sql, { merchantId, vendId });
  if (sealed === undefined) return vend;
  const opened = sealer.open(goodsPlace(vendId), sealed);
  invariant(opened !== undefined, 'a key of this gateway opens what purchases brought');
  return { ...vend, goods: JSON.parse(opened) as Goods };
}
