/**
 * Brings a database to what this version needs: its schema, some of the rows that versions
 * before left incomplete, and the products that it sells.
 */
import type { Database } from '../db/database.ts';
import { type Migrated, migrate } from '../db/migrate.ts';
import { productRecords } from '../products/registry.ts';
import type { ProviderFacts } from '../providers/provider.ts';
import { learnProducts } from '../routing/operations/learn-products.ts';
import { beginCompletion } from '../vending/history/list-completion.ts';

/**
 * A product that is new to the database gets a test route, to those of `providers` that sell it.
 * Gives what `migrate` did, and rejects as it does.
 */
export async function prepareDatabase(
  database: Database,
  providers: readonly ProviderFacts[],
): Promise<Migrated> {
  const migrated = await migrate(database);
  // The job `list-completion` goes on with it.
  await beginCompletion(database);
  await database.transaction((tx) => learnProducts(tx, productRecords, providers));
  return migrated;
}
