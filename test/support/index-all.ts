/** The index of the search, whole. */
import type { Database } from '../../src/db/database.ts';
import { SearchIndexing } from '../../src/vending/search/index-vends.ts';

/** A run that takes no longer has ended because nothing was left. */
const RUN_MS = 2_900;

export async function indexAll(
  database: Database,
  indexing: Pick<SearchIndexing, 'run'> = new SearchIndexing(),
): Promise<void> {
  for (let tookMs = RUN_MS; tookMs >= RUN_MS; ) {
    const startedMs = performance.now();
    await indexing.run(database);
    tookMs = performance.now() - startedMs;
  }
}
