/**
 * Refuses a purchase of a product that is not enabled for the merchant, and any of a suspended one.
 */
import { GatewayError } from '../core/errors.ts';
import type { ProductName } from '../core/products/product.ts';
import type { Principal } from './merchant.ts';

/** Throws GatewayError `merchant_suspended` or `product_not_enabled` for a purchase. */
export function requireEnabled(principal: Principal, product: ProductName): void {
  requireActive(principal);
  requireProduct(principal, product);
}

/**
 * Checks a lookup, which a suspended merchant may make. Throws GatewayError `product_not_enabled`
 * if the product is not enabled in the principal's environment.
 */
export function requireProduct({ merchant }: Principal, product: ProductName): void {
  if (!merchant.products.has(product)) throw new GatewayError({ code: 'product_not_enabled', product });
}

/** Throws GatewayError `merchant_suspended`. */
export function requireActive({ merchant }: Principal): void {
  if (merchant.suspended) throw new GatewayError({ code: 'merchant_suspended' });
}
