/** The refusals of the routes of orders before a plan is looked up. For the document. */

import type { OrderProduct } from '../../../core/products/product.ts';
import type { RequestFault } from '../../../core/request-fault.ts';

export function orderRefusals(product: OrderProduct): readonly RequestFault[] {
  return [
    { code: 'product_not_enabled', product },
    { code: 'no_provider', product, network: product },
    { code: 'selling_paused', product, network: product },
    { code: 'purchases_locked' },
  ];
}
