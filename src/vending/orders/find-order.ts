/** An order with what it brought, opened for the merchant who bought it. */
import { openVend, type VendOpener } from '../goods/open-vend.ts';
import type { Vend } from '../vend/vend.ts';
import type { Order } from './order.ts';

/** `vend` is one of an order, as it stands. */
export async function readOrder(opener: VendOpener, vend: Vend): Promise<Order> {
  const opened = await openVend(opener, vend);
  return { ...opened, title: opened.title ?? '', quantity: opened.quantity ?? 1 };
}
