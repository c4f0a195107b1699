/**
 * Stores the list of products in the database, so that SQL can use the kind of a product in place
 * of its name. A new product gets a test route; the operator sets other routes. Every start runs
 * this, in several processes at once, and changes nothing that is stored already.
 */

import type { ProductRecord } from '../../../core/products/product-record.ts';
import type { Tx } from '../../../db/database.ts';
import type { ProviderFacts } from '../../../providers/provider.ts';
import { areStored, insertProducts, updateProducts } from '../product-store.ts';
import { sellersOf } from '../require-route.ts';
import { setRoute } from '../route-store.ts';

/** Stores the products. A new one gets a test route to the providers that sell it in test. */
export async function storeProducts(
  tx: Tx,
  records: readonly ProductRecord[],
  providers: readonly ProviderFacts[],
): Promise<void> {
  // Where the table is copied to several servers, a write needs all of them.
  if (await areStored(tx, records)) return;
  const added = new Set(await insertProducts(tx, records));
  await updateProducts(tx, records);
  for (const { name } of records) {
    if (!added.has(name)) continue;
    const testing = sellersOf(name, 'test', providers);
    await setRoute(tx, { environment: 'test', product: name, network: '*', providers: testing });
  }
}
