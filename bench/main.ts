/**
 * `npm run bench`: measures the gateway against a baseline on the same machine, database and
 * minute.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Bench } from './bench.ts';
import { openCluster } from './cluster.ts';
import { LoadGenerator } from './load/generator.ts';
import { machineFacts } from './machine.ts';
import { type Options, parseOptions, type ScenarioName, scenarioNames, usage } from './options.ts';
import { watchOtherLoad } from './other-load.ts';
import { formatReport, writeReport } from './report.ts';
import { hasFailed, type ResultRow } from './results.ts';
import { scaleOf } from './scale.ts';
import { asyncPurchases } from './scenarios/async.ts';
import { bills } from './scenarios/bills.ts';
import { history } from './scenarios/history.ts';
import { latency } from './scenarios/latency.ts';
import { throughput } from './scenarios/throughput.ts';

const scenarios: Readonly<Record<ScenarioName, (bench: Bench) => Promise<ResultRow[]>>> = {
  throughput,
  latency,
  bills,
  async: asyncPurchases,
  history,
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
  const bench = await openBench(options, stack);
  const facts = await machineFacts(bench.cluster.maintenance, bench.dir);
  const rows: ResultRow[] = [];
  const otherLoad = await watchOtherLoad();
  for (const name of options.scenarios) {
    bench.progress(`${name}:`);
    const own = stack.use(new AsyncDisposableStack());
    rows.push(...(await scenarios[name]({ ...bench, stack: own })));
    const share = await otherLoad();
    await own.disposeAsync();
    await bench.cluster.clear();
    if (share === undefined) continue;
    facts[`processors used by others, ${name}`] = `${(share * 100).toFixed(0)} %`;
  }
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ facts, rows })}\n`);
  } else {
    const machine = Object.entries(facts).map(([name, value]) => `${name}: ${value}`);
    process.stdout.write(`\n${machine.join('\n')}\n\n${formatReport(rows)}\n`);
  }
  if (hasFailed(rows)) {
    process.exitCode = 1;
    // A part of the rows, or rows of small counts, must not take the place of real ones.
  } else if (!options.quick && options.scenarios.length === scenarioNames.length) {
    bench.progress(`written to ${await writeReport(facts, rows)}`);
  }
}

async function openBench(options: Options, stack: AsyncDisposableStack): Promise<Bench> {
  const startedAt = performance.now();
  const dir = await mkdtemp(join(tmpdir(), 'oja-bench-'));
  stack.defer(() => rm(dir, { recursive: true, force: true }));
  // The database server may run as another user.
  await chmod(dir, 0o755);
  const cluster = stack.use(await openCluster(process.env.DATABASE_URL, dir));
  const load = stack.use(new LoadGenerator());
  const progress = (text: string): void => {
    const seconds = ((performance.now() - startedAt) / 1_000).toFixed(0).padStart(4);
    process.stderr.write(`${seconds} s  ${text}\n`);
  };
  return { options, scale: scaleOf(options), variables: process.env, dir, cluster, load, stack, progress };
}
