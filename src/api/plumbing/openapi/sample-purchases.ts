/**
 * Purchases for the examples of the document, one for each product. The routes format them as they
 * format real ones, so an example is exactly what is sent. Pure.
 */
import { isOrderProduct, type OrderProduct, type ProductName } from '../../../core/products/product.ts';
import { recordOf } from '../../../core/products/registry.ts';
import type { Order } from '../../../purchases/orders/order.ts';
import type { Purchase, PurchaseStatus } from '../../../purchases/state/purchase.ts';
import type { Examples } from './annotations.ts';

export function samplePurchase(product: ProductName, status: PurchaseStatus): Purchase {
  const { network, msisdn, planCode, faceValue, goods, said, refusal } = recordOf(product).sample;
  return {
    network,
    msisdn,
    planCode,
    faceValue,
    id: '019aa5f0-2a51-7c3e-9c55-0d8f6f1b7a10',
    merchantId: 1,
    merchantName: 'Demo merchant',
    environment: 'test',
    reference: isOrderProduct(product) ? `${product.toLowerCase()}-20261121-0001` : 'order-20261121-0001',
    product,
    ...(isOrderProduct(product) && { title: recordOf(product).sample.title, quantity: 1 }),
    charge: faceValue,
    status,
    reason: { success: 'delivered', failed: 'refused', pending: undefined }[status] as Purchase['reason'],
    telcoMessage: { success: said, failed: refusal, pending: undefined }[status],
    goods: status === 'success' ? (goods as Purchase['goods']) : {},
    createdAt: new Date('2026-11-21T12:05:09.120Z'),
    updatedAt: new Date('2026-11-21T12:05:10.480Z'),
  };
}

/** A purchase that the balance does not cover: stored as failed and never sent. */
export function unpaid(purchase: Purchase): Purchase {
  return { ...purchase, status: 'failed', reason: 'insufficient_funds', telcoMessage: undefined, goods: {} };
}

/** A success with other goods, such as postpaid electricity. */
export function bringing(
  purchase: Purchase,
  change: Partial<Pick<Purchase, 'msisdn' | 'planCode' | 'goods'>>,
): Purchase {
  return { ...purchase, ...change };
}

export function sampleOrder(product: OrderProduct, status: PurchaseStatus): Order {
  return { ...samplePurchase(product, status), title: recordOf(product).sample.title, quantity: 1 };
}

/** Each product in each state, formatted by `write`: `data_pending`, `cable_success` … */
export function eachOutcome(
  products: readonly ProductName[],
  statuses: readonly PurchaseStatus[],
  write: (purchase: Purchase) => unknown,
): Examples {
  return Object.fromEntries(
    products.flatMap((product) =>
      statuses.map((status) => [
        `${product.toLowerCase()}_${status}`,
        write(samplePurchase(product, status)),
      ]),
    ),
  );
}
