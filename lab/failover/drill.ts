/**
 * One path to the database (HAProxy, or PgBouncer and HAProxy), two gateways under load, and the
 * primary lost in several ways. Returns the time without sales, and every failure found afterwards.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openDatabase } from '../../src/db/database.ts';
import { differences, outcomes, readLivePurchases, untilNothingPending } from '../../test/support/books.ts';
import { type Credentials, type RunningGateway, runGateway } from '../../test/support/gateway.ts';
import { brokenPromises, type Purchase, startLoad, tally } from '../../test/support/load.ts';
import { type SimulatorProcess, until } from '../../test/support/processes.ts';
import type { Cluster, Member } from './cluster.ts';
import { type Probe, startProbe } from './probe.ts';
import { startHaproxy, startPgbouncer } from './routers.ts';

export const ways = ['haproxy', 'pgbouncer'] as const;
export type Way = (typeof ways)[number];
export const faults = ['kill', 'freeze', 'partition'] as const;
type Fault = (typeof faults)[number];

type Round = {
  readonly fault: Fault;
  /** From the fault until another member accepts writes. */
  readonly promotedMs: number;
  /** From then until a purchase is answered with success. */
  readonly servedMs: number;
  /** From the last success before the fault to that one. */
  readonly outageMs: number;
};

export type Result = {
  readonly rounds: readonly Round[];
  readonly purchases: number;
  /** The outcomes of the purchases and the answers to clients, as text. */
  readonly ended: string;
  readonly answered: string;
  /**
   * Empty if no acknowledged purchase was lost, none was delivered twice, and the audit is clean.
   */
  readonly wrong: readonly string[];
};

const PROMOTION_MS = 240_000;
const SERVICE_MS = 240_000;
const FINAL_MS = 240_000;
/** How long a lost primary stays away after another is promoted. */
const AWAY_MS = 6_000;
/** The duration of normal operation before a fault. */
const CALM_MS = 4_000;

export type DrillOptions = {
  readonly folder: string;
  readonly cluster: Cluster;
  readonly simulator: SimulatorProcess;
  readonly way: Way;
  readonly faults: readonly Fault[];
  readonly clients: number;
  readonly seed: number;
  readonly say: (line: string) => void;
};

export async function drill(options: DrillOptions): Promise<Result> {
  const { folder, simulator, way, seed } = options;
  await using stack = new AsyncDisposableStack();
  const name = `oja_${way}`;
  await createDatabase(options.cluster, name);
  const url = await urlOf(options, name, stack);
  const dataDir = join(folder, `gateway-${way}`);
  const gateways: RunningGateway[] = [];
  for (let number = 0; number < 2; number += 1) {
    const gateway = stack.use(runGateway(settingsOf(url, dataDir, simulator.url)));
    await gateway.ready;
    gateways.push(gateway);
  }
  const urls = gateways.map((gateway) => /listening on (http:\S+)/.exec(gateway.output())?.[1] ?? '');
  const text = await readFile(join(dataDir, 'credentials.json'), 'utf8');
  const { live } = JSON.parse(text) as Credentials;
  let turn = 0;
  const load = stack.use(
    startLoad({
      ...live,
      plans: [],
      clients: options.clients,
      seed,
      pauseMs: 100,
      url: () => urls[turn++ % urls.length] ?? '',
    }),
  );
  const probe = startProbe(`${way}-${seed}`, urls, live);
  const rounds: Round[] = [];
  for (const fault of options.faults) rounds.push(await strike(fault, options, probe));
  await Promise.all([load.stop(), probe.stop()]);
  await using database = open(url);
  await untilNothingPending(database, FINAL_MS, urls[0]);
  const purchases = await readLivePurchases(database);
  const ours = new Set(purchases.flatMap(({ attempts }) => attempts));
  const sent = [...load.purchases, ...probe.purchases];
  const wrong = [
    ...(await differences(database, simulator.url)).filter((line) => isOurs(line, ours)),
    ...brokenPromises(sent.map(withoutDoubt), purchases),
  ];
  return { rounds, purchases: purchases.length, ended: outcomes(purchases), answered: tally(sent), wrong };
}

/** 500 means an unknown outcome, not a stored purchase: 404 may follow. */
function withoutDoubt({ reference, answers }: Purchase): Purchase {
  return {
    reference,
    answers: answers.map((answer) =>
      answer.status === 500 ? { by: answer.by, status: 500, at: answer.at } : answer,
    ),
  };
}

/** The simulator's books also contain the deliveries of earlier drills. */
function isOurs(line: string, attempts: ReadonlySet<string>): boolean {
  const stranger = /^delivered, but no attempt is on record: (\S+)$/.exec(line)?.[1];
  return stranger === undefined || attempts.has(stranger);
}

function settingsOf(url: string, dataDir: string, simulatorUrl: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    OJA_DATA_DIR: dataDir,
    OJA_SIMULATOR_URL: simulatorUrl,
    OJA_NOT_FOUND_GRACE_S: '10',
    OJA_SYNC_DEADLINE_S: '15',
    OJA_LOG_LEVEL: 'warn',
    OJA_DATABASE_CONNECTIONS: '12',
  };
}

async function strike(fault: Fault, { cluster, say, way }: DrillOptions, probe: Probe): Promise<Round> {
  await cluster.settled();
  await sleep(CALM_MS);
  await until('purchases succeed', SERVICE_MS, () => probe.successes.length > 0);
  const victim = await until('one member leads', PROMOTION_MS, () => cluster.findPrimary());
  const struckAt = performance.now();
  lose(victim, fault);
  await until('another is promoted', PROMOTION_MS, () => cluster.findPrimary(victim));
  const promotedAt = performance.now();
  const servedAt = await until('a purchase succeeds', SERVICE_MS, () =>
    probe.successes.find((atMs) => atMs > promotedAt - 100 && atMs > struckAt + 1_000),
  );
  const lastBefore = Math.max(...probe.successes.filter((atMs) => atMs <= struckAt + 1_000));
  await sleep(AWAY_MS);
  await bringBack(victim, fault);
  await until(`${victim.name} follows the new primary`, PROMOTION_MS, () => follows(victim));
  await cluster.settled();
  const round = {
    fault,
    promotedMs: Math.round(promotedAt - struckAt),
    servedMs: Math.max(0, Math.round(servedAt - promotedAt)),
    outageMs: Math.round(servedAt - lastBefore),
  };
  say(
    `${way} ${fault}: promoted after ${round.promotedMs} ms, first purchase ${round.servedMs} ms later, nothing sold for ${round.outageMs} ms`,
  );
  return round;
}

/** As Patroni reports it. */
async function follows({ ownRestPort }: Member): Promise<boolean> {
  const signal = AbortSignal.timeout(2_000);
  return await fetch(`http://127.0.0.1:${ownRestPort}/replica`, { signal }).then(
    (answer) => answer.ok,
    () => false,
  );
}

function lose(member: Member, fault: Fault): void {
  if (fault === 'kill') member.kill();
  else if (fault === 'freeze') member.freeze();
  else member.cutOff();
}

async function bringBack(member: Member, fault: Fault): Promise<void> {
  if (fault === 'kill') await member.start();
  else if (fault === 'freeze') member.thaw();
  else member.mend();
}

async function createDatabase(cluster: Cluster, name: string): Promise<void> {
  const primary = await cluster.settled();
  await using database = open(`postgresql://postgres@127.0.0.1:${primary.ownPort}/postgres`);
  await database.query(`create database ${name}`);
}

async function urlOf(
  { folder, cluster, way }: DrillOptions,
  name: string,
  stack: AsyncDisposableStack,
): Promise<string> {
  const haproxy = stack.use(await startHaproxy(folder, cluster.members));
  if (way === 'haproxy') return `postgresql://postgres@127.0.0.1:${haproxy.port}/${name}?sslmode=disable`;
  const target = `host=127.0.0.1 port=${haproxy.port} user=postgres`;
  const pgbouncer = stack.use(await startPgbouncer(folder, { mode: 'session', target }));
  return `postgresql://postgres@127.0.0.1:${pgbouncer.port}/${name}?sslmode=disable`;
}

function open(connectionString: string): ReturnType<typeof openDatabase> {
  return openDatabase({
    connectionString,
    connectionsMax: 3,
    applicationName: 'oja failover',
    onPoolError: () => undefined,
  });
}
