/**
 * Tells the database which products there are, so that SQL can ask it for a kind in place of a
 * name. A product that the installation has not had before gets its test routes; of the others
 * routes are the operator's business. Every start repeats it, several processes at once, and
 * changes nothing.
 */
import type { Tx } from '../../db/database.ts';
import type { ProductRecord } from '../../products/product-record.ts';
import type { ProviderFacts } from '../../providers/provider.ts';
import { insertProducts, updateProducts } from '../product-store.ts';
import { setRoute } from '../route-store.ts';
import { sellersOf } from '../sellers-of.ts';

/**
 * The test route of a new product goes to those of `providers` that sell it to test credentials.
 */
export async function learnProducts(
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
