/** Fills the search table. */
import type { Database } from '../../src/db/database.ts';
import { SearchIndexing } from '../../src/purchases/search/index-purchases.ts';

export async function indexAll(database: Database, indexing = new SearchIndexing()): Promise<void> {
  while ((await database.transaction((tx) => indexing.fillSlice(tx))) === 'more');
}
