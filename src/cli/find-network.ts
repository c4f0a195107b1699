/** The network an operator means: a mobile one, or a biller of the catalog by any of its names. */
import { findBiller, indexBillers } from '../catalog/biller-index.ts';
import { listBillers } from '../catalog/biller-store.ts';
import type { Sql } from '../db/database.ts';
import { mobileNetworks, parseMobileNetwork } from '../products/network.ts';
import { parseVendProduct, type VendProduct } from '../products/product.ts';
import { recordOf } from '../products/registry.ts';
import { CommandError } from './command-error.ts';

/** In its canonical spelling: rows under any other would never be found. Throws CommandError. */
export async function findNetwork(sql: Sql, product: VendProduct, text: string): Promise<string> {
  switch (recordOf(product).networks) {
    // The vends of an order have the product's name there.
    case 'own':
      return parseVendProduct(text) === product ? product : refuse(product, text, [product]);
    case 'mobile':
      return parseMobileNetwork(text) ?? refuse(product, text, mobileNetworks);
    case 'billers':
      return await findBillNetwork(sql, product, text);
  }
}

async function findBillNetwork(sql: Sql, product: VendProduct, text: string): Promise<string> {
  const billers = (await listBillers(sql)).filter((biller) => biller.product === product);
  // One that is withdrawn goes by its exact name: what was set for it can still be taken away.
  const biller =
    findBiller(indexBillers(billers), undefined, text) ?? billers.find(({ network }) => network === text);
  return (
    biller?.network ??
    refuse(
      product,
      text,
      billers.map(({ network }) => network),
    )
  );
}

function refuse(product: VendProduct, text: string, known: readonly string[]): never {
  throw new CommandError(`"${text}" is no network of ${product}: it must be one of ${known.join(', ')}`);
}
