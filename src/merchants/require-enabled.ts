import { GatewayError } from '../errors.ts';
import type { Product } from '../products/product.ts';
import type { Caller } from './merchant.ts';

/** Throws GatewayError `forbidden` where the product is not enabled in the caller's environment. */
export function requireEnabled(caller: Caller, product: Product): void {
  if (caller.merchant.products.has(product)) return;
  throw new GatewayError('forbidden', `The product ${product} is not enabled for this merchant`);
}
