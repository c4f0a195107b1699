/**
 * `npm run chaos`: faults strike gateways, worker, database, network, disk, clocks and providers
 * while merchants buy, and the books of all three sides are compared. Exits with 1 when a check
 * fails or a fault lasts too long.
 */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { machineFacts } from '../../bench/machine.ts';
import { watchOtherLoad } from '../../bench/other-load.ts';
import { type Folder, noteOtherLoad, printResults, runInFolder } from '../../bench/run-program.ts';
import { randomFrom } from '../../test/support/load.ts';
import { Calm } from './calm.ts';
import { drawFaults } from './draw-faults.ts';
import { judge } from './judge.ts';
import { type FaultKind, type Options, parseOptions, usage } from './options.ts';
import { formatReport, formatS, rowsOf } from './report.ts';
import { isLate, runFaults, type Struck } from './run-faults.ts';
import { sendShoppers } from './shoppers.ts';
import { openSite, type Site } from './site.ts';

/** Until the gateways have planned their statements and compiled their code. */
const WARM_UP_MS = 5_000;
const LEARN_S = 5;

await runInFolder({ name: 'chaos', parseOptions, usage, run });

async function run(options: Options, { stack, dir, progress }: Folder): Promise<void> {
  const random = randomFrom(options.seed);
  const { beforeDir } = options;
  const site = await openSite(stack, dir, beforeDir && join(beforeDir, 'src', 'main.ts'));
  const facts = await machineFacts(site.postgres.database, dir);
  const otherLoad = await watchOtherLoad();
  const calm = new Calm();
  const { seed, hot, spread } = options;
  const { dataDir, postgres } = site;
  const { connectionString } = postgres;
  const before = beforeDir === undefined ? undefined : { root: beforeDir, dataDir, connectionString };
  const shoppers = await sendShoppers({
    stack,
    database: postgres.database,
    dataDir,
    before,
    url: site.balancer.url,
    seed,
    hot,
    spread,
    onSend: calm.onSend,
  });
  await sleep(WARM_UP_MS);
  const baseline = await calm.learn(LEARN_S);
  progress(`calm: ${baseline.perSecond.toFixed(0)} purchases a second, p99 ${baseline.p99Ms.toFixed(0)} ms`);
  const kinds = kindsFor(options, site, random, progress);
  const onStruck = ({ kind, detail, lastedMs, calmAfterMs }: Struck, number: number): void => {
    const times = `${formatS(lastedMs)} s, calm after ${formatS(calmAfterMs ?? Infinity)} s`;
    progress(`${number}/${kinds.length} ${kind} ${detail}: ${times}`);
  };
  const struck = await runFaults({ site, calm, random, onStruck }, kinds, options.minutes);
  const lastAt = performance.now();
  await shoppers.stop();
  progress(`${shoppers.purchases().length} purchases: waiting until all are final`);
  const verdict = await judge(site, shoppers.purchases(), lastAt);
  noteOtherLoad(facts, 'all', await otherLoad());
  const rows = rowsOf(struck);
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ seed, facts, baseline, rows, struck, verdict })}\n`);
  } else {
    printResults(false, { ...facts, seed: String(seed) }, rows, formatReport(rows, baseline, verdict));
  }
  if (verdict.wrong.length > 0 || struck.some(isLate)) process.exitCode = 1;
}

/** If the run begins with another version, gateways are upgraded once, halfway. */
function kindsFor(
  { faults, kinds, beforeDir }: Options,
  { postgres }: Site,
  random: () => number,
  progress: Folder['progress'],
): readonly FaultKind[] {
  const possible = kinds.filter((kind) => kind !== 'full-disk' || postgres.disk !== undefined);
  if (possible.length < kinds.length) progress('full-disk is left out: only root may mount a small disk');
  if (beforeDir === undefined) return drawFaults(faults, possible, random);
  const others = drawFaults(
    faults - 1,
    possible.filter((kind) => kind !== 'upgrade'),
    random,
  );
  const half = Math.floor(others.length / 2);
  return [...others.slice(0, half), 'upgrade', ...others.slice(half)];
}
