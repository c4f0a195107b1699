/**
 * In place of a whole audit, which takes an hour and more for ten million purchases on a busy
 * machine: adds everything up at one moment, checks nothing, and leaves the mark that the next
 * audit goes on from. Nothing may be sold meanwhile.
 */

import { openBenchDatabase } from '../../bench/cluster.ts';
import { checksVersion } from '../../src/audit/audit-checks.ts';
import { findLastClean, insertRun, readStart } from '../../src/audit/audit-run-store.ts';
import { readCut } from '../../src/audit/audit-sum-store.ts';
import { shortlyOn } from '../../src/audit/audit-vends.ts';
import type { Row } from './row.ts';
import { readSums } from './ten-million-store.ts';

/** Nothing where an audit that was clean is there to go on from. */
export async function beginAudit(databaseUrl: string): Promise<Row[]> {
  await using database = openBenchDatabase(databaseUrl, 2);
  if ((await findLastClean(database)) !== undefined) return [];
  const startMs = performance.now();
  const start = await readStart(database);
  const [cut, sums] = await shortlyOn(database)(
    async (tx) => [await readCut(tx), await readSums(tx)] as const,
  );
  await database.transaction((tx) =>
    insertRun(tx, {
      kind: 'whole',
      sinceId: undefined,
      start,
      version: checksVersion,
      failed: [],
      cut,
      sums,
    }),
  );
  const figure = `${((performance.now() - startMs) / 1_000).toFixed(1)} s`;
  const name = 'adding everything up for the audit to go on from, no checks';
  return [{ name, figure, range: '', goal: '', met: undefined, good: 1, errors: {} }];
}
