/**
 * Brings a database to what this version needs: its schema, and the products that it
 * sells.
 */
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { productRecords } from '../products/registry.ts';
import type { ProviderFacts } from '../providers/provider.ts';
import { learnProducts } from '../routing/operations/learn-products.ts';

/**
 * A product that is new to the database gets a test route, to those of `providers` that sell it.
 * Returns the migrations that ran, and rejects as `migrate` does.
 */
export async function prepareDatabase(
  database: Database,
  providers: readonly ProviderFacts[],
): Promise<readonly string[]> {
  const applied = await migrate(database);
  await database.transaction((tx) => learnProducts(tx, productRecords, providers));
  return applied;
}
