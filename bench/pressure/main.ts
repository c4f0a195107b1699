/**
 * `npm run pressure`: disturbs some callers on real processes, and measures the effect on others.
 * Exits with 1 if a limit is missed.
 */
import { ownRoot } from '../gateway.ts';
import { machineFacts } from '../machine.ts';
import { watchOtherLoad } from '../other-load.ts';
import { type Ground, noteOtherLoad, printResults, runProgram } from '../run-program.ts';
import { type Options, parseOptions, type RowName, rowNames, usage } from './options.ts';
import { formatReport, type ResultRow, writeReport } from './report.ts';
import type { Played, Row } from './row.ts';
import { rows } from './rows/rows.ts';
import { openSite } from './site.ts';

type Run = Ground & { readonly options: Options };

await runProgram({ name: 'pressure', parseOptions, usage, run });

async function run(options: Options, ground: Ground): Promise<void> {
  const facts = await machineFacts(ground.cluster.maintenance, ground.dir);
  const otherLoad = await watchOtherLoad();
  const results: ResultRow[] = [];
  for (const name of options.rows) {
    results.push(await playRow({ ...ground, options }, name));
    noteOtherLoad(facts, name, await otherLoad());
  }
  await print(options, facts, results, ground.progress);
}

async function playRow(run: Run, name: RowName): Promise<ResultRow> {
  const row = rows[name];
  run.progress(`${name}: ${row.what}`);
  const { beforeDir } = run.options;
  const before = beforeDir === undefined ? row.before : (await playOn(run, name, row, beforeDir)).measured;
  const { measured: after, passed } = await playOn(run, name, row, ownRoot);
  run.progress(`${name}: ${passed ? 'held' : 'MISSED'}: ${after} (before: ${before})`);
  return { name, what: row.what, before, after, bar: row.bar, passed };
}

async function playOn(run: Run, name: RowName, row: Row, root: string): Promise<Played> {
  const { cluster, dir, options } = run;
  const stack = run.stack.use(new AsyncDisposableStack());
  // Last, because the databases are no longer used then.
  stack.defer(() => cluster.clear());
  let sites = 0;
  try {
    return await row.play({
      quick: options.quick,
      progress: (text) => run.progress(`  ${text}`),
      openSite: (site = {}) => {
        sites += 1;
        const unique = `${name}_${root === ownRoot ? 'now' : 'before'}_${sites}`;
        return openSite({ root, cluster, dir, variables: process.env, stack }, unique, site);
      },
    });
  } catch (error) {
    run.progress(`${name}: ${error instanceof Error ? error.stack : String(error)}`);
    return { measured: 'could not be played', passed: false };
  } finally {
    await stack.disposeAsync();
  }
}

async function print(
  options: Options,
  facts: Readonly<Record<string, string>>,
  results: readonly ResultRow[],
  progress: Run['progress'],
): Promise<void> {
  const table = formatReport(results, options.beforeDir === undefined ? '0.1.0' : 'Before');
  printResults(options.json, facts, results, table);
  if (results.some(({ passed }) => !passed)) process.exitCode = 1;
  // Results of some rows, or of rows with small counts, must not replace real ones.
  if (!options.quick && options.rows.length === rowNames.length) {
    progress(`written to ${await writeReport(facts, table)}`);
  }
}
