/**
 * Reads the fields of a body that are compared with the first request under its reference. Only the
 * fields of the product are compared: airtime has a kind and no plan, and only bills have a phone.
 */
import { type DirectProduct, isBillProduct, parseProduct } from '../../../../core/products/product.ts';
import { recordOf } from '../../../../core/products/registry.ts';
import type { SentPurchase } from '../../../../purchases/idempotency/compare-with-first.ts';
import { type ReadSent, readSent } from '../../../plumbing/sent-fields.ts';

/** For the route that takes every product. */
export const readTransaction: ReadSent = (body) => {
  const product = parseProduct(String(body.product));
  const hasPlan = product === undefined || recordOf(product).plans !== 'none';
  return {
    ...common(body),
    ...readSent(body, {
      product: ['product'],
      ...(hasPlan ? { plan: ['plan_code', 'plan'] } : { kind: ['kind'] }),
      ...(product !== undefined && isBillProduct(product) && { phone: ['phone'] }),
    }),
  };
};

/** For a product's own routes. */
export function readTransactionOf(product: DirectProduct): ReadSent {
  const hasPlan = recordOf(product).plans !== 'none';
  return (body) => ({
    ...common(body),
    ...readSent(body, hasPlan ? { plan: ['plan_code', 'plan'] } : { kind: ['kind'] }),
    product: [product],
  });
}

const common = (body: Readonly<Record<string, unknown>>): SentPurchase =>
  readSent(body, {
    merchant: ['merchant', 'merchant_code'],
    customer: ['msisdn', 'customer_msisdn'],
    network: ['network'],
    amount: ['amount'],
  });
