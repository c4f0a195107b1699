/**
 * Writes the list of products to the database, so that SQL can ask for a kind of product in place
 * of a name. A product that is new to the installation gets its test route. The routes of the
 * others are the operator's. Every start repeats this, in several processes at once, and changes
 * nothing that is there.
 */

import type { ProductRecord } from '../../../core/products/product-record.ts';
import type { Tx } from '../../../db/database.ts';
import type { ProviderFacts } from '../../../providers/provider.ts';
import { insertProducts, updateProducts } from '../product-store.ts';
import { sellersOf } from '../require-route.ts';
import { setRoute } from '../route-store.ts';

/** A new product gets a test route to those of `providers` that sell it to test credentials. */
export async function storeProducts(
  tx: Tx,
  records: readonly ProductRecord[],
  providers: readonly ProviderFacts[],
): Promise<void> {
  const added = new Set(await insertProducts(tx, records));
  await updateProducts(tx, records);
  for (const { name } of records) {
    if (!added.has(name)) continue;
    const testing = sellersOf(name, 'test', providers);
    await setRoute(tx, { environment: 'test', product: name, network: '*', providers: testing });
  }
}
