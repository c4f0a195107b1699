/** The network an operator means: a mobile one, or a biller of the catalog by any of its names. */
import { findBiller, indexBillers } from '../catalog/biller-index.ts';
import { listBillers } from '../catalog/biller-store.ts';
import type { Sql } from '../db/database.ts';
import { mobileNetworks, parseMobileNetwork } from '../products/network.ts';
import { isBillProduct, isOrderProduct, type VendProduct } from '../products/product.ts';
import { CommandError } from './command-error.ts';

/** In its canonical spelling: rows under any other would never be found. Throws CommandError. */
export async function findNetwork(sql: Sql, product: VendProduct, text: string): Promise<string> {
  // Orders have no networks: their vends have the product's name there.
  if (isOrderProduct(product)) {
    return text.toUpperCase() === product ? product : refuse(product, text, [product]);
  }
  if (!isBillProduct(product)) return parseMobileNetwork(text) ?? refuse(product, text, mobileNetworks);
  const billers = (await listBillers(sql)).filter((biller) => biller.product === product);
  // One that is withdrawn goes by its exact name: what was set for it can still be taken away.
  const biller =
    findBiller(indexBillers(billers), product, text) ?? billers.find(({ network }) => network === text);
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
