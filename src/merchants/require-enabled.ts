import { GatewayError } from '../kernel/errors.ts';
import type { VendProduct } from '../products/product.ts';
import type { Caller } from './merchant.ts';

/** Throws GatewayError `forbidden` where the product is not enabled in the caller's environment. */
export function requireEnabled(caller: Caller, product: VendProduct): void {
  if (caller.merchant.products.has(product)) return;
  throw new GatewayError('forbidden', `The product ${product} is not enabled for this merchant`);
}
