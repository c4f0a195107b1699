/**
 * `npm run failover`: the primary of a Patroni cluster is killed, frozen and cut off under load,
 * and the gateways carry on. Ends with 1 when an acknowledged purchase was lost, one was delivered
 * twice, the audit differs, or nothing was sold for 15 s after a promotion.
 *
 * Options: `--ways haproxy,pgbouncer`, `--faults kill,freeze,partition`, `--clients 24`,
 * `--seed 1`, `--keep` (leaves the folder with the logs).
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { freePort, spawnSimulator } from '../../test/support/processes.ts';
import { startCluster } from './cluster.ts';
import { drill, faults, type Result, type Way, ways } from './drill.ts';
import { missingPrograms } from './programs.ts';

const SERVED_MAX_MS = 15_000;

const { values } = parseArgs({
  options: {
    ways: { type: 'string', default: ways.join() },
    faults: { type: 'string', default: faults.join() },
    clients: { type: 'string', default: '24' },
    seed: { type: 'string', default: '1' },
    keep: { type: 'boolean', default: false },
  },
});

function chosen<T extends string>(name: string, text: string, known: readonly T[]): T[] {
  const wanted = text.split(',');
  const wrong = wanted.find((one) => !known.some((each) => each === one));
  if (wrong !== undefined) throw new Error(`--${name} ${wrong} is none of ${known.join(', ')}`);
  return known.filter((one) => wanted.includes(one));
}

async function run(): Promise<boolean> {
  const missing = missingPrograms(['etcd', 'patroni', 'haproxy', 'pgbouncer']);
  if (missing.length > 0) {
    console.error(`not installed: ${missing.join(', ')}`);
    console.error('on Debian: apt-get install patroni etcd-server haproxy pgbouncer postgresql-15');
    return false;
  }
  await using stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'oja-failover-'));
  await chmod(folder, 0o755);
  if (values.keep) console.log(`the logs are in ${folder}/log`);
  else stack.defer(() => rm(folder, { recursive: true, force: true }));
  const simulator = stack.use(
    await spawnSimulator({
      port: await freePort(),
      dir: join(folder, 'books'),
      settings: { OJA_SIMULATOR_LATENCY_MS: '15', OJA_SIMULATOR_TIMEOUT_MS: '3000' },
    }),
  );
  const cluster = stack.use(await startCluster(folder));
  const results: [Way, Result][] = [];
  for (const way of chosen('ways', values.ways, ways)) {
    const result = await drill({
      folder,
      cluster,
      simulator,
      way,
      say: console.log,
      faults: chosen('faults', values.faults, faults),
      clients: Number(values.clients),
      seed: Number(values.seed),
    });
    results.push([way, result]);
    console.log(`${way}: ${result.purchases} purchases: ${result.ended}`);
    console.log(`${way}: answered ${result.answered}`);
    for (const line of result.wrong) console.log(`${way}: WRONG ${line}`);
  }
  report(results);
  return results.every(
    ([, { rounds, wrong }]) => wrong.length === 0 && rounds.every(({ servedMs }) => servedMs < SERVED_MAX_MS),
  );
}

function report(results: readonly (readonly [Way, Result])[]): void {
  const seconds = (ms: number): string => (ms / 1_000).toFixed(1);
  console.log('\n| way | fault | promoted after, s | sold again after, s | nothing sold for, s |');
  console.log('|---|---|---|---|---|');
  for (const [way, { rounds }] of results) {
    for (const { fault, promotedMs, servedMs, outageMs } of rounds) {
      console.log(
        `| ${way} | ${fault} | ${seconds(promotedMs)} | ${seconds(servedMs)} | ${seconds(outageMs)} |`,
      );
    }
  }
}

// Kill all started processes when this one ends.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.exitCode = (await run()) ? 0 : 1;
