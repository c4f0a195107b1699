/**
 * An order of a gift card or an eSIM: a purchase that names a plan of the catalog and delivers
 * codes.
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
  /** The merchant's reference. */
  readonly reference: string;
  /** Where the goods are sent in addition. */
  readonly destination?: Destination | undefined;
  /** The voucher that pays for it, as `readVoucherCode` returns it. */
  readonly voucherCode?: string;
};

/** A well-formed order whose plan is on sale, before its profile, price and stock are checked. */
export type OrderRequest =
  | (OrderCommon & {
      readonly product: typeof giftCard.name;
      readonly plan: GiftCardPlan;
      readonly quantity: number;
      /**
       * The value of one card, in minor units of the plan's currency, if the merchant names one.
       */
      readonly faceValue: bigint | undefined;
    })
  | (OrderCommon & {
      readonly product: typeof esim.name;
      readonly plan: EsimPlan;
    });

/** The current state of an order, with its `goods` decrypted. */
export type Order = Purchase & { readonly title: string; readonly quantity: number };

/** `purchase` is the purchase of an order. */
export async function readOrder(opener: PurchaseOpener, purchase: Purchase): Promise<Order> {
  const opened = await openPurchase(opener, purchase);
  return { ...opened, title: opened.title ?? '', quantity: opened.quantity ?? 1 };
}
