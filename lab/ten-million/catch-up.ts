/**
 * Runs the background jobs of a gateway by their own functions without pauses, and measures each.
 */

import { openBenchDatabase } from '../../bench/cluster.ts';
import type { Database } from '../../src/db/database.ts';
import { TimeIndexSummaries } from '../../src/db/summarize-time-indexes.ts';
import { catchUp as rollUp } from '../../src/finance/reports/roll-up.ts';
import { assignNewPositions } from '../../src/notifications/events/assign-positions.ts';
import { CountRollUp } from '../../src/purchases/history/roll-up-counts.ts';
import { SearchIndexing } from '../../src/purchases/search/index-purchases.ts';
import { WalletPruning } from '../../src/wallet/ledger/prune-wallet-states.ts';
import { rollUpHouseBalances } from '../../src/wallet/ledger/roll-up.ts';
import { markStatements } from '../../src/wallet/mark-statements.ts';
import { endPlaying, noteCaughtUp, readProgress } from './ten-million-store.ts';

type Job = (database: Database) => Promise<unknown>;

/** The jobs that need no more than a database, in their order. */
export const jobs: ReadonlyMap<string, Job> = new Map<string, Job>([
  [
    'balances of the house',
    async (database) => {
      while ((await rollUpHouseBalances(database)).more);
    },
  ],
  ['counts of purchases', addCounts],
  ['old states of wallets', pruneWallets],
  [
    'places of events',
    async (database) => {
      while ((await assignNewPositions(database)) > 0);
    },
  ],
  ['marks of statements', markStatements],
]);

export type Caught = { readonly job: string; readonly seconds: number };

/** After the last purchase of the load. The search index is filled at the same time. */
export async function catchUp(
  databaseUrl: string,
  patienceS: number,
  progress: (text: string) => void,
): Promise<Caught[]> {
  await using database = openBenchDatabase(databaseUrl, 4);
  const loaded = await readProgress(database);
  if (loaded === undefined || loaded.isCaughtUp) return [];
  await endPlaying(database);
  const caught: Caught[] = [];
  const time = async (job: string, work: () => Promise<unknown>): Promise<void> => {
    const startMs = performance.now();
    await work();
    const seconds = (performance.now() - startMs) / 1_000;
    caught.push({ job, seconds });
    progress(`caught up: ${job}, ${seconds.toFixed(1)} s`);
  };
  await time('summaries of the indexes by time', () => summarize(database));
  await Promise.all([
    time('the table of the search', () => indexSearch(database)),
    (async () => {
      for (const [job, work] of jobs) await time(job, () => work(database));
      await time('roll-up', async () => {
        const rolledUpTo = await rollUp(database, { withinMs: 1_000 * patienceS });
        if (rolledUpTo < loaded.end) progress('the rest of the roll-up is left to the gateway');
      });
    })(),
  ]);
  await noteCaughtUp(database);
  return caught;
}

async function summarize(database: Database): Promise<void> {
  const summaries = new TimeIndexSummaries();
  while ((await summaries.run(database)).more);
}

/** All wallet states that are old enough to delete. */
export async function pruneWallets(database: Database): Promise<void> {
  const pruning = new WalletPruning();
  while ((await pruning.run(database)).more);
}

export async function addCounts(database: Database): Promise<void> {
  const counts = new CountRollUp();
  while ((await counts.run(database)).more);
}

/** Without the pauses between slices. */
async function indexSearch(database: Database): Promise<void> {
  const indexing = new SearchIndexing();
  while ((await database.transaction((tx) => indexing.fillSlice(tx))) !== 'done');
}
