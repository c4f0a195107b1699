/** Finds the network that an operator names: a mobile network, or a biller by any of its names. */

import { OperationError } from '../core/errors.ts';
import { mobileNetworks, parseMobileNetwork } from '../core/products/network.ts';
import { type ProductName, parseProductName } from '../core/products/product.ts';
import { recordOf } from '../core/products/registry.ts';
import type { Sql } from '../db/database.ts';
import { findBillNetwork, indexBillers } from './biller-index.ts';
import { listThings } from './catalog-store.ts';

/**
 * Returns the canonical name, by which rows are found. Throws OperationError `no_such_network`.
 */
export async function findNetwork(sql: Sql, product: ProductName, text: string): Promise<string> {
  switch (recordOf(product).networks) {
    // Purchases of orders have the product's name as their network.
    case 'own':
      return parseProductName(text) === product ? product : refuse(product, text, [product]);
    case 'mobile':
      return parseMobileNetwork(text) ?? refuse(product, text, mobileNetworks);
    case 'billers':
      return await findNetworkOfBills(sql, product, text);
  }
}

async function findNetworkOfBills(sql: Sql, product: ProductName, text: string): Promise<string> {
  const billers = (await listThings(sql, 'biller')).filter((biller) => biller.product === product);
  const known = billers.map(({ network }) => network);
  return findBillNetwork(indexBillers(billers), text) ?? refuse(product, text, known);
}

function refuse(product: ProductName, network: string, known: readonly string[]): never {
  throw new OperationError({ code: 'no_such_network', product, network, known });
}
