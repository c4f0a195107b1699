/**
 * `npm run bench-versions -- COMMIT…`: this checkout against earlier versions, each as `npm start`
 * runs it with its own database and its demo, in turns: sync airtime with test credentials on one
 * wallet. A figure of one version means little, the ratios of a run mean much.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { access, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ownRoot, readPort, readScript, readTestCredential } from './gateway.ts';
import { LoadGenerator } from './load/generator.ts';
import type { Credential } from './load/job.ts';
import { readProcesses, secondsOfTree } from './processes.ts';
import { formatMs, formatRate, formatRatio, hasFailed, median } from './results.ts';
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
  /** Processor time of a purchase in microseconds: of the gateway, and of all that it started. */
  readonly gatewayUs: number;
  readonly othersUs: number;
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

async function compare(options: Options, { stack, dir, progress }: Folder): Promise<void> {
  const load = stack.use(new LoadGenerator());
  const versions: Version[] = [];
  for (const name of [...options.versions, 'this']) {
    const root = name === 'this' ? ownRoot : await checkOut(name, dir, { stack, progress });
    const version = await start(name, root, { stack, dir });
    progress(`${name} listens after ${version.startS.toFixed(1)} s`);
    versions.push(version);
  }
  const rounds = new Map<Version, Round[]>(versions.map((version) => [version, []]));
  const errors: Record<string, number> = {};
  let good = 0;
  for (let round = 0; round <= options.rounds; round += 1) {
    for (const [version, kept] of rounds) {
      const before = secondsOfTree(await readProcesses(), version.pid);
      const result = await load.run({
        port: version.port,
        connections: options.connections,
        credentials: [version.credential],
        requests: {
          kind: 'purchases',
          path: '/v1/transactions/airtime/sync',
          run: `versions-${round}`,
          from: 0,
          networks: ['mtn'],
        },
        pace: { kind: 'closed', seconds: options.seconds },
        expect: '"status":"success"',
      });
      const after = secondsOfTree(await readProcesses(), version.pid);
      good += result.good;
      for (const [what, count] of Object.entries(result.errors)) {
        errors[`${version.name}: ${what}`] = count;
      }
      const figures: Round = {
        perS: result.good / result.seconds,
        ...result.latencyMs,
        gatewayUs: ((after.own - before.own) * 1e6) / result.good,
        othersUs: ((after.started - before.started) * 1e6) / result.good,
      };
      // The first round warms up.
      if (round > 0) kept.push(figures);
      progress(
        `round ${round}, ${version.name}: ${formatRate(figures.perS)}, p99 ${formatMs(figures.p99)}, ` +
          `gateway ${figures.gatewayUs.toFixed(0)} µs, PostgreSQL ${figures.othersUs.toFixed(0)} µs`,
      );
    }
  }
  for (const [version, list] of rounds) process.stdout.write(`${rowOf(version, list)}\n`);
  const own = [...rounds.values()].at(-1) ?? [];
  for (const [version, list] of rounds) {
    if (list === own) continue;
    const ratios = own.map(({ perS }, index) => perS / (list[index]?.perS ?? Number.NaN));
    process.stdout.write(
      `this against ${version.name}: ${ratios.map(formatRatio).join(', ')} (median ${formatRatio(median(ratios))})\n`,
    );
  }
  if (hasFailed([{ good, errors }])) {
    process.stdout.write(`${JSON.stringify(errors)}\n`);
    process.exitCode = 1;
  }
}

function rowOf({ name, startS }: Version, rounds: readonly Round[]): string {
  const of = (figure: keyof Round): number => median(rounds.map((round) => round[figure]));
  return [
    `${name}: ${formatRate(of('perS'))}`,
    `p50 ${formatMs(of('p50'))}`,
    `p99 ${formatMs(of('p99'))}`,
    `gateway ${of('gatewayUs').toFixed(0)} µs`,
    `PostgreSQL ${of('othersUs').toFixed(0)} µs`,
    `listens after ${startS.toFixed(1)} s`,
  ].join(', ');
}

/** A folder as it is; a commit in a worktree of its own, with its dependencies. */
async function checkOut(
  name: string,
  dir: string,
  { stack, progress }: Pick<Folder, 'stack' | 'progress'>,
): Promise<string> {
  if (
    await access(join(name, 'package.json')).then(
      () => true,
      () => false,
    )
  )
    return name;
  const root = join(dir, name);
  progress(`checking ${name} out`);
  await run('git', ['worktree', 'add', '--detach', '--quiet', root, name], { cwd: ownRoot });
  stack.defer(async () => {
    await run('git', ['worktree', 'remove', '--force', root], { cwd: ownRoot });
  });
  await run('npm', ['ci', '--no-audit', '--no-fund'], { cwd: root });
  return root;
}

async function start(
  name: string,
  root: string,
  { stack, dir }: Pick<Folder, 'stack' | 'dir'>,
): Promise<Version> {
  const dataDir = join(dir, `data-${name.replaceAll(/\W/g, '-')}`);
  await mkdir(dataDir);
  // An earlier version knows some of these names only.
  const ports = ['METRICS_PORT', 'OJA_ADMIN_PORT', 'OJA_CONSOLE_PORT', 'OJA_PORTAL_PORT'];
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
      OJA_SIMULATOR_PORT: '0',
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
