/**
 * Brings a database to what this version needs: its schema, rows that versions before left
 * incomplete, and the products that it sells.
 */
import type { Database } from '../db/database.ts';
import { migrate } from '../db/migrate.ts';
import { productRecords } from '../products/registry.ts';
import type { ProviderFacts } from '../providers/provider.ts';
import { learnProducts } from '../routing/operations/learn-products.ts';
import { completeListed } from '../vending/history/complete-listed-store.ts';

const COMPLETED_AT_ONCE = 10_000;

/**
 * A product that is new to the database gets a test route, to those of `providers` that sell it.
 * Gives the names of the migrations that ran. Rejects as `migrate` does.
 */
export async function prepareDatabase(
  database: Database,
  providers: readonly ProviderFacts[],
): Promise<{ readonly applied: readonly string[] }> {
  const migrated = await migrate(database);
  while ((await completeListed(database, COMPLETED_AT_ONCE)) === COMPLETED_AT_ONCE) {
    // In slices: purchases go on meanwhile.
  }
  await database.transaction((tx) => learnProducts(tx, productRecords, providers));
  return migrated;
}
