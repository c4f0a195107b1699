/** The network of a bill: the name of a biller in the catalog, in any letter case. */

import type { Catalog } from '../../catalog/catalog.ts';
import type { BillProduct } from '../../core/products/product.ts';
import { refuseField } from './refusal.ts';

/** Returns the canonical name of the network. Throws a Refusal, 400, that lists the known ones. */
export function readBillNetwork(
  catalog: Pick<Catalog, 'findBiller' | 'listBillers'>,
  product: BillProduct,
  text: string,
): string {
  const biller = catalog.findBiller(product, text);
  if (biller !== undefined) return biller.network;
  const networks = catalog.listBillers(product).map(({ network }) => network);
  const message =
    networks.length > 0
      ? `network must be one of ${networks.join(', ')}, as a string in any letter case`
      : `network is unknown: the catalog has no ${product} networks`;
  throw refuseField('network', 'network_unknown', message);
}
