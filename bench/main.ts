/**
 * `npm run bench`: measures the gateway against a baseline on the same machine, database and
 * minute.
 */
import type { Bench } from './bench.ts';
import { writeCharts } from './charts/write-charts.ts';
import { LoadGenerator } from './load/generator.ts';
import { machineFacts } from './machine.ts';
import { type Options, parseOptions, type ScenarioName, scenarioNames, usage } from './options.ts';
import { watchOtherLoad } from './other-load.ts';
import { formatReport, writeReport } from './report.ts';
import { hasFailed, type ResultRow } from './results.ts';
import { type Ground, noteOtherLoad, printResults, runProgram } from './run-program.ts';
import { scaleOf } from './scale.ts';
import { asyncPurchases } from './scenarios/async.ts';
import { bills } from './scenarios/bills.ts';
import { bounds } from './scenarios/bounds.ts';
import { cost } from './scenarios/cost.ts';
import { history } from './scenarios/history.ts';
import { latency } from './scenarios/latency.ts';
import { load } from './scenarios/load.ts';
import { pressures } from './scenarios/pressures.ts';
import { throughput } from './scenarios/throughput.ts';
import { together } from './scenarios/together.ts';

const scenarios: Readonly<Record<ScenarioName, (bench: Bench) => Promise<ResultRow[]>>> = {
  throughput,
  together,
  latency,
  load,
  pressures,
  bills,
  async: asyncPurchases,
  history,
  cost,
  bounds,
};

await runProgram({ name: 'bench', parseOptions, usage, run });

async function run(options: Options, ground: Ground): Promise<void> {
  const generator = ground.stack.use(new LoadGenerator());
  const facts = await machineFacts(ground.cluster.maintenance, ground.dir);
  const rows: ResultRow[] = [];
  const otherLoad = await watchOtherLoad();
  for (const name of options.scenarios) {
    ground.progress(`${name}:`);
    const stack = ground.stack.use(new AsyncDisposableStack());
    const variables = process.env;
    const bench = { ...ground, options, scale: scaleOf(options), variables, load: generator, stack };
    rows.push(...(await scenarios[name](bench)));
    const share = await otherLoad();
    await stack.disposeAsync();
    await ground.cluster.clear();
    noteOtherLoad(facts, name, share);
  }
  printResults(options.json, facts, rows, formatReport(rows));
  if (hasFailed(rows)) {
    process.exitCode = 1;
    return;
  }
  // Results of some rows, or of rows with small counts, must not replace real ones.
  const isWhole = !options.quick && options.scenarios.length === scenarioNames.length;
  if (isWhole) ground.progress(`written to ${await writeReport(facts, rows)}`);
  if (isWhole || options.draw) ground.progress(`drawn into ${await writeCharts(facts, rows)}`);
}
