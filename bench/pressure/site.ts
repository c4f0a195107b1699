/**
 * The processes of a row: a database, the simulator, gateways as users start them, merchants, and
 * load generators.
 */
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '../../src/db/database.ts';
import type { Cluster } from '../cluster.ts';
import { openBenchDatabase } from '../cluster.ts';
import { type Gateway, startGateway } from '../gateway.ts';
import { LoadGenerator } from '../load/generator.ts';
import type { Credential, LoadJob, LoadResult, Pace } from '../load/job.ts';
import { type Client, openClient, saidIn } from './client.ts';
import { createOperator, fund, type Merchant, type Operator, openMerchant } from './operator.ts';
import { type Simulator, startSimulator } from './simulator.ts';

/** An open transaction of a row (a lock, a snapshot) uses one, its other queries another. */
const CONNECTIONS = 3;
const POLL_MS = 250;

export type SiteOptions = {
  /** The URL of every gateway, by name. */
  readonly settings?: (simulatorUrl: string) => Readonly<Record<string, string>>;
  readonly simulator?: Readonly<Record<string, string>>;
  /** The number of them; default one. */
  readonly gateways?: number;
};

export type Site = {
  readonly database: Database;
  readonly simulator: Simulator;
  /** The first of the gateways, and all of them. */
  readonly gateway: Gateway;
  readonly gateways: readonly Gateway[];
  readonly operator: Operator;
  readonly client: Client;
  /** The merchant of the demo, which may buy everything and has plenty of money. */
  readonly demo: Merchant;
  openMerchant(code: string, ...products: readonly string[]): Promise<Merchant>;
  /** Runs a job in a separate load generator; several may run at once. */
  load(job: Omit<LoadJob, 'port'>, gateway?: Gateway): Promise<LoadResult>;
  /** The same for airtime, with new references. */
  buy(order: Order, gateway?: Gateway): Promise<LoadResult>;
  /** The states of a credential's purchases, as its merchant sees them. */
  count(credential: Credential): Promise<Counts>;
  /** Waits until none is pending, or until `withinMs` have passed. */
  untilFinal(credential: Credential, withinMs: number): Promise<Counts>;
};

type Order = {
  readonly credential: Credential;
  readonly mode: 'sync' | 'async';
  readonly pace: Pace;
  readonly connections?: number;
  readonly networks?: readonly string[];
};

export type Counts = { readonly pending: number; readonly success: number; readonly failed: number };

export type Ground = {
  readonly root: string;
  readonly cluster: Cluster;
  readonly dir: string;
  readonly variables: Readonly<Record<string, string | undefined>>;
  /** Disposed of when the row ends. */
  readonly stack: AsyncDisposableStack;
};

export async function openSite(ground: Ground, name: string, options: SiteOptions): Promise<Site> {
  const { root, cluster, stack, variables } = ground;
  const databaseUrl = await cluster.createDatabase(name);
  const dataDir = join(ground.dir, name);
  await mkdir(dataDir);
  const simulator = stack.use(await startSimulator(dataDir, options.simulator ?? {}));
  const settings = {
    OJA_SIMULATOR_URL: simulator.url,
    ...options.settings?.(simulator.url),
  };
  const start = (): Promise<Gateway> =>
    startGateway({ root, databaseUrl, dataDir, variables, settings, role: 'all', profileDir: undefined });
  // The first one sets the database up; the others use it.
  const gateway = stack.use(await start());
  const others = await Promise.all(Array.from({ length: (options.gateways ?? 1) - 1 }, start));
  for (const other of others) stack.use(other);
  const operator = createOperator(root, {
    ...variables,
    OJA_PROFILE: 'demo',
    DATABASE_URL: databaseUrl,
    OJA_DATA_DIR: dataDir,
  });
  const demo = await readDemo(dataDir);
  await fund(operator, demo.code);
  const client = stack.use(openClient());
  const database = stack.use(openBenchDatabase(databaseUrl, CONNECTIONS));
  const count = (credential: Credential): Promise<Counts> => countOf(client, gateway, credential);
  const load: Site['load'] = async (job, at = gateway) => {
    await using generator = new LoadGenerator();
    return await generator.run({ ...job, port: at.port });
  };
  let runs = 0;
  return {
    database,
    simulator,
    gateway,
    gateways: [gateway, ...others],
    operator,
    client,
    demo,
    load,
    count,
    openMerchant: (code, ...products) => openMerchant(operator, code, products),
    buy: (order, at) => {
      runs += 1;
      return load(purchases(order, `run-${runs}`), at);
    },
    untilFinal: async (credential, withinMs) => {
      const deadline = performance.now() + withinMs;
      for (;;) {
        const counts = await count(credential);
        if (counts.pending === 0 || performance.now() > deadline) return counts;
        await sleep(POLL_MS);
      }
    },
  };
}

function purchases(order: Order, run: string): Omit<LoadJob, 'port'> {
  const { credential, mode, pace, connections = 16, networks = ['mtn'] } = order;
  const path = `/v1/transactions/airtime/${mode}` as const;
  return {
    connections,
    pace,
    credentials: [credential],
    // The minimum amount of all providers.
    requests: { kind: 'purchases', path, run, from: 0, networks, amount: '100' },
    expect: `"response_code":"${mode === 'sync' ? '00' : '02'}"`,
  };
}

async function readDemo(dataDir: string): Promise<Merchant> {
  const text = await readFile(join(dataDir, 'credentials.json'), 'utf8');
  const { merchant, test, live } = JSON.parse(text) as Omit<Merchant, 'code'> & { merchant: string };
  return { code: merchant, test: { ...test, merchant }, live: { ...live, merchant } };
}

const statuses = { success: 0, failed: 1, pending: 2 } as const;

async function countOf(client: Client, gateway: Gateway, credential: Credential): Promise<Counts> {
  const ofStatus = async (status: number): Promise<number> => {
    const path = `/v1/transactions?limit=1&status=${status}`;
    // A busy list answers this way, and is queried again.
    for (;;) {
      const answer = await client.call(gateway, credential, 'GET', path);
      if (answer.status === 200) return Number(saidIn(answer, 'result', 'page_info', 'total_items'));
      await sleep(POLL_MS);
    }
  };
  return {
    // Counted first: a purchase that becomes final meanwhile is counted twice instead of lost.
    pending: await ofStatus(statuses.pending),
    success: await ofStatus(statuses.success),
    failed: await ofStatus(statuses.failed),
  };
}
