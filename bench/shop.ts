/** A database, the gateways on it, and merchants with money, ready for a load. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '../src/db/database.ts';
import type { Bench } from './bench.ts';
import { openBenchDatabase } from './cluster.ts';
import { type Gateway, type GatewayOptions, readTestCredential, startGateway } from './gateway.ts';
import type { Bill, Bills, Credential, LoadJob, LoadResult, Pace, Purchases } from './load/job.ts';
import { fund, openWallets } from './wallets.ts';

/** A round in which the machine was paused is not valid, and is repeated. */
const ROUND_TRIES = 3;
/** Enough for every database connection to have planned its statements. */
const TRICKLE = 60;

export type Shop = {
  readonly database: Database;
  /** The merchant of the demo, with money on its test wallet. */
  readonly hot: Credential;
  /** The first gateway, which sets the database up. */
  readonly gateway: Gateway;
  /** Starts another gateway; the caller stops it. */
  startGateway(role: GatewayOptions['role']): Promise<Gateway>;
  /** More merchants with money, each with a test credential. */
  openWallets(count: number): Promise<Credential[]>;
  /** The prefix of its references. */
  readonly run: string;
  /** The number of purchases ordered so far. Their numbers are lower. */
  bought(): number;
  /** Loads a gateway with new purchases. */
  purchase(gateway: Gateway, order: Order): Promise<LoadResult>;
};

type Order = {
  readonly credentials: readonly Credential[];
  readonly mode: 'sync' | 'async';
  readonly connections: number;
  readonly pace: Pace;
  readonly networks?: readonly string[];
  readonly expect?: string;
  readonly msisdn?: string;
  /** Buys this bill, which is sync, instead of airtime. */
  readonly bill?: Bill;
  /** Half of the connections use this gateway. */
  readonly beside?: Gateway;
};

/** Purchases are numbered: the next load continues after the previous one. */
export async function openShop(bench: Bench, name: string, role: GatewayOptions['role']): Promise<Shop> {
  const databaseUrl = await bench.cluster.createDatabase(name);
  const dataDir = join(bench.dir, name);
  await mkdir(dataDir);
  const database = bench.stack.use(openBenchDatabase(databaseUrl, 2));
  const options = { databaseUrl, dataDir, variables: bench.variables, profileDir: bench.options.profileDir };
  const gateway = bench.stack.use(await startGateway({ ...options, role }));
  const hot = await readTestCredential(dataDir);
  await database.transaction((tx) => fund(tx, hot.merchant, 'test'));
  let bought = 0;
  const shop: Shop = {
    database,
    hot,
    gateway,
    startGateway: (otherRole) => startGateway({ ...options, role: otherRole }),
    openWallets: (count) => openWallets(database, dataDir, { count, environment: 'test' }),
    run: name,
    bought: () => bought,
    purchase: async (at, order) => {
      for (let left = ROUND_TRIES - 1; ; left -= 1) {
        const result = await bench.load.run(toJob(at, order, name, bought));
        bought += result.sent;
        const again = result.stoodStillMs > 0 && left > 0 && Object.keys(result.errors).length === 0;
        if (!again || (order.pace.kind === 'closed' && order.pace.count !== undefined)) return result;
        bench.progress(`the machine stood still for ${Math.round(result.stoodStillMs)} ms: once more`);
      }
    },
  };
  await trickle(shop);
  return shop;
}

/**
 * A new gateway is warmed up before it is loaded: the database then has plans, which were made for
 * small tables.
 */
async function trickle({ hot, gateway, purchase }: Shop): Promise<void> {
  const pace = { kind: 'closed', count: TRICKLE, seconds: 0 } as const;
  await purchase(gateway, { mode: 'sync', credentials: [hot], connections: 4, pace, networks: ['mtn'] });
}

function toJob(gateway: Gateway, order: Order, run: string, from: number): LoadJob {
  const { credentials, connections, pace, mode } = order;
  const airtime: Purchases = {
    kind: 'purchases',
    path: `/v1/transactions/airtime/${mode}`,
    run,
    from,
    networks: order.networks ?? ['mtn', 'glo', 'airtel', '9mobile'],
    ...(order.msisdn !== undefined && { msisdn: order.msisdn }),
  };
  const requests: Purchases | Bills =
    order.bill === undefined ? airtime : { kind: 'bills', run, from, bill: order.bill };
  const expect = order.expect ?? `"response_code":"${mode === 'sync' ? '00' : '02'}"`;
  const { beside } = order;
  const ports = { port: gateway.port, ...(beside !== undefined && { otherPorts: [beside.port] }) };
  return { ...ports, connections, credentials, requests, pace, expect };
}
