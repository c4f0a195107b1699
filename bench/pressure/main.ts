/**
 * `npm run pressure`: makes trouble for some callers on real processes, and measures what others
 * feel of it. Exit 1 when a bar is missed.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, openCluster } from '../cluster.ts';
import { ownRoot } from '../gateway.ts';
import { machineFacts } from '../machine.ts';
import { watchOtherLoad } from '../other-load.ts';
import { type Options, parseOptions, type RowName, rowNames, usage } from './options.ts';
import { formatReport, type ResultRow, writeReport } from './report.ts';
import type { Played, Row } from './row.ts';
import { rows } from './rows/rows.ts';
import { openSite } from './site.ts';

type Run = {
  readonly stack: AsyncDisposableStack;
  readonly options: Options;
  readonly cluster: Cluster;
  readonly dir: string;
  readonly progress: (text: string) => void;
};

try {
  await run(readOptions());
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
  process.exitCode = 1;
}

function readOptions(): Options {
  try {
    return parseOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
    process.exit(2);
  }
}

async function run(options: Options): Promise<void> {
  await using stack = new AsyncDisposableStack();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void stack.disposeAsync().finally(() => process.exit(1)));
  }
  const startedAt = performance.now();
  const progress = (text: string): void => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4);
    process.stderr.write(`${seconds} s  ${text}\n`);
  };
  const dir = await mkdtemp(join(tmpdir(), 'oja-pressure-'));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  // The database server may run as another user.
  await chmod(dir, 0o755);
  const cluster = stack.use(await openCluster(process.env.DATABASE_URL, dir));
  const facts = await machineFacts(cluster.maintenance, dir);
  const otherLoad = await watchOtherLoad();
  const results: ResultRow[] = [];
  for (const name of options.rows) {
    results.push(await playRow({ stack, options, cluster, dir, progress }, name));
    const share = await otherLoad();
    if (share !== undefined) facts[`processors used by others, ${name}`] = `${(share * 100).toFixed(0)} %`;
  }
  await print(options, facts, results, progress);
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
  // Last of all: nobody uses the databases any more.
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
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ facts, rows: results })}\n`);
  } else {
    const machine = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
    process.stdout.write(`\n${machine.join('\n')}\n\n${table}\n`);
  }
  if (results.some(({ passed }) => !passed)) process.exitCode = 1;
  // A part of the rows, or rows of small counts, must not take the place of real ones.
  if (!options.quick && options.rows.length === rowNames.length) {
    progress(`written to ${await writeReport(facts, table)}`);
  }
}
