/**
 * Tells the database which products there are, so that SQL can ask it for a kind in place of a name.
 * A product that the installation has not had before gets its test routes; of the others routes are
 * the operator's business. Every start repeats it, several processes at once, and changes nothing.
 */
import type { Tx } from '../../db/database.ts';
import type { ProductRecord } from '../../products/product-record.ts';
import { insertProducts, updateProducts } from '../product-store.ts';
import { setRoute } from '../route-store.ts';

export async function learnProducts(tx: Tx, records: readonly ProductRecord[]): Promise<void> {
  const added = new Set(await insertProducts(tx, records));
  await updateProducts(tx, records);
  for (const { name, routes } of records) {
    if (!added.has(name)) continue;
    await setRoute(tx, { environment: 'test', product: name, network: '*', providers: routes.test });
  }
}
