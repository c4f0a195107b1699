/** An order with what it brought, opened for the merchant who bought it. */
import type { Sql } from '../../db/database.ts';
import { invariant } from '../../kernel/errors.ts';
import type { Sealer } from '../../kernel/sealing.ts';
import type { Goods } from '../../providers/provider.ts';
import { goodsPlace } from '../path/sealed-goods.ts';
import type { Vend } from '../vend/vend.ts';
import type { Order } from './order.ts';
import { findOrderParts } from './order-store.ts';

export type OrderReader = { readonly sql: Sql; readonly sealer: Pick<Sealer, 'open'> };

/** `vend` is one of an order, as it stands. */
export async function readOrder({ sql, sealer }: OrderReader, vend: Vend): Promise<Order> {
  const { merchantId, environment, id: vendId } = vend;
  const { details, sealed } = await findOrderParts(sql, { merchantId, environment, vendId });
  const shown = vend.status === 'success' ? sealed : undefined;
  const opened = shown === undefined ? undefined : sealer.open(goodsPlace(vendId), shown);
  invariant(shown === undefined || opened !== undefined, 'a key of this gateway opens what orders brought');
  return {
    ...vend,
    title: details?.title ?? '',
    quantity: details?.item?.quantity ?? 1,
    goods: opened === undefined ? vend.goods : (JSON.parse(opened) as Goods),
  };
}
