/**
 * `npm run bench-versions -- COMMIT…`: this checkout against earlier versions, each as `npm start`
 * runs it with its own database and its demo, alternating: sync airtime with test credentials on
 * one wallet. The ratios within a run are meaningful; single figures are not.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ownRoot, readPort, readScript, readTestCredential } from './gateway.ts';
import { LoadGenerator } from './load/generator.ts';
import type { Credential, LoadResult } from './load/job.ts';
import { readProcesses, secondsOfTree } from './processes.ts';
import {
  countAnswers,
  formatMs,
  formatRate,
  formatRatio,
  hasFailed,
  median,
  rangeOf,
  ratePerS,
} from './results.ts';
import { type Folder, runInFolder } from './run-program.ts';

const run = promisify(execFile);
const usage = `usage: npm run bench-versions -- [COMMIT|FOLDER…] [options]

  --rounds N         rounds of each version (default 3)
  --seconds N        length of a round (default 10)
  --connections N    connections of the load (default 256)
`;

type Options = {
  readonly versions: readonly string[];
  readonly rounds: number;
  readonly seconds: number;
  readonly connections: number;
};

type Version = {
  readonly name: string;
  readonly pid: number;
  readonly port: number;
  /** From the command to listening. */
  readonly startS: number;
  readonly credential: Credential;
};

type Round = {
  readonly perS: number;
  readonly p50: number;
  readonly p99: number;
  /** Processor time per purchase in microseconds: of the gateway, and of its child processes. */
  readonly gatewayUs: number;
  readonly startedUs: number;
};

await runInFolder<Options>({ name: 'versions', parseOptions, usage, run: compare });

function parseOptions(args: readonly string[]): Options {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      seconds: { type: 'string', default: '10' },
      connections: { type: 'string', default: '256' },
    },
  });
  const number = (text: string): number => {
    if (!/^[1-9]\d{0,3}$/.test(text)) throw new Error(`${text} is not a number from 1 to 9999`);
    return Number(text);
  };
  return {
    versions: positionals,
    rounds: number(values.rounds),
    seconds: number(values.seconds),
    connections: number(values.connections),
  };
}

async function compare(options: Options, folder: Folder): Promise<void> {
  const { stack, progress } = folder;
  const load = stack.use(new LoadGenerator());
  const rounds = new Map<Version, Round[]>();
  for (const name of [...options.versions, 'this']) {
    const root = name === 'this' ? ownRoot : await checkOut(name, folder);
    const version = await start(name, root, folder);
    progress(`${name} listens after ${version.startS.toFixed(1)} s`);
    rounds.set(version, []);
  }
  const answers: LoadResult[] = [];
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const [version, kept] of rounds) {
      const [figures, result] = await measure(load, version, round, options);
      answers.push(result);
      // The first round warms up.
      if (round > 0) kept.push(figures);
      progress(`round ${round}, ${version.name}: ${formatRound(figures)}`);
    }
  }
  const own = [...rounds.values()].at(-1) ?? [];
  for (const [version, list] of rounds) {
    const ratios = own.map(({ perS }, index) => perS / (list[index]?.perS ?? Number.NaN));
    process.stdout.write(
      `${version.name}: ${formatRound(medianOf(list))}, listens after ${version.startS.toFixed(1)} s\n`,
    );
    if (list !== own) {
      process.stdout.write(
        `  this sells ${formatRatio(median(ratios))} of it (${rangeOf(ratios, formatRatio)})\n`,
      );
    }
  }
  const counted = countAnswers(answers);
  if (!hasFailed([counted])) return;
  process.stdout.write(`wrong answers: ${JSON.stringify(counted.errors)}\n`);
  process.exitCode = 1;
}

async function measure(
  load: LoadGenerator,
  { pid, port, credential }: Version,
  round: number,
  { connections, seconds }: Options,
): Promise<[Round, LoadResult]> {
  const before = secondsOfTree(await readProcesses(), pid);
  const result = await load.run({
    port,
    connections,
    credentials: [credential],
    requests: {
      kind: 'purchases',
      path: '/v1/transactions/airtime/sync',
      run: `versions-${round}`,
      from: 0,
      networks: ['mtn'],
    },
    pace: { kind: 'closed', seconds },
    expect: '"status":"success"',
  });
  const after = secondsOfTree(await readProcesses(), pid);
  const perPurchase = (spentS: number): number => (spentS * 1e6) / result.good;
  const { p50, p99 } = result.latencyMs;
  const figures = {
    perS: ratePerS(result),
    p50,
    p99,
    gatewayUs: perPurchase(after.own - before.own),
    startedUs: perPurchase(after.started - before.started),
  };
  return [figures, result];
}

function medianOf(rounds: readonly Round[]): Round {
  const of = (figure: keyof Round): number => median(rounds.map((round) => round[figure]));
  return {
    perS: of('perS'),
    p50: of('p50'),
    p99: of('p99'),
    gatewayUs: of('gatewayUs'),
    startedUs: of('startedUs'),
  };
}

function formatRound({ perS, p50, p99, gatewayUs, startedUs }: Round): string {
  const latency = `p50 ${formatMs(p50)}, p99 ${formatMs(p99)}`;
  return `${formatRate(perS)}, ${latency}, gateway ${gatewayUs.toFixed(0)} µs, PostgreSQL ${startedUs.toFixed(0)} µs`;
}

/** Uses a folder as it is. A commit is checked out in a worktree with its dependencies. */
async function checkOut(name: string, { stack, dir, progress }: Folder): Promise<string> {
  if (existsSync(join(name, 'package.json'))) return name;
  const root = join(dir, name);
  progress(`checking ${name} out`);
  await run('git', ['worktree', 'add', '--detach', '--quiet', root, name], { cwd: ownRoot });
  stack.defer(async () => {
    await run('git', ['worktree', 'remove', '--force', root], { cwd: ownRoot });
  });
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root });
  return root;
}

async function start(name: string, root: string, { stack, dir }: Folder): Promise<Version> {
  const dataDir = join(dir, `data-${name.replaceAll(/\W/g, '-')}`);
  await mkdir(dataDir);
  // Earlier versions know only some of these names.
  const ports = [
    'METRICS_PORT',
    'OJA_SIMULATOR_PORT',
    'OJA_ADMIN_PORT',
    'OJA_CONSOLE_PORT',
    'OJA_PORTAL_PORT',
  ];
  const { args, variables } = await readScript(root, 'start');
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      ...variables,
      ...Object.fromEntries(ports.map((port) => [port, '0'])),
      OJA_DATA_DIR: dataDir,
      HOST: '127.0.0.1',
      PORT: '0',
      OJA_RATE_LIMIT_PER_S: '0',
    },
  });
  stack.defer(() => stop(child));
  const port = await readPort(child);
  const startS = (performance.now() - startedAt) / 1_000;
  return { name, pid: child.pid ?? 0, port, startS, credential: await readTestCredential(dataDir) };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGTERM');
  await gone;
}
