/**
 * An order of a gift card or an eSIM: a purchase that names a plan of the catalog and brings codes.
 */

import type { EsimPlan } from '../../catalog/esim-plan.ts';
import type { GiftCardPlan } from '../../catalog/gift-card-plan.ts';
import type { esim } from '../../core/products/esim.ts';
import type { giftCard } from '../../core/products/gift-card.ts';
import type { Principal } from '../../merchants/merchant.ts';
import type { Destination } from '../../notifications/messages/destination.ts';
import { openPurchase, type PurchaseOpener } from '../goods/open-purchase.ts';
import type { Purchase } from '../state/purchase.ts';

type OrderCommon = {
  readonly principal: Principal;
  /** The merchant's idempotency key. */
  readonly reference: string;
  /** Where the goods are sent besides. */
  readonly destination?: Destination | undefined;
  /** Of the voucher that pays it, as `readVoucherCode` gives it. */
  readonly voucherCode?: string;
};

/**
 * An order as asked for: well-formed, its plan on sale, not yet judged against profile, price and
 * stock.
 */
export type OrderRequest =
  | (OrderCommon & {
      readonly product: typeof giftCard.name;
      readonly plan: GiftCardPlan;
      readonly quantity: number;
      /** Of one card, in minor units of the plan's currency, where the merchant names one. */
      readonly faceValue: bigint | undefined;
    })
  | (OrderCommon & {
      readonly product: typeof esim.name;
      readonly plan: EsimPlan;
    });

/** An order as it stands; its `goods` are opened. */
export type Order = Purchase & { readonly title: string; readonly quantity: number };

/** `purchase` is one of an order, as it stands. */
export async function readOrder(opener: PurchaseOpener, purchase: Purchase): Promise<Order> {
  const opened = await openPurchase(opener, purchase);
  return { ...opened, title: opened.title ?? '', quantity: opened.quantity ?? 1 };
}
