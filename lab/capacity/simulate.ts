/**
 * The queueing behind a gateway: purchases arrive, the gateway's thread reads them, group commit
 * takes them to PostgreSQL under the lock of their wallets, the provider is called, and the answer
 * is resolved in the same way. Only the waiting is simulated; the cost of each step was measured.
 *
 * Simplified: work is not interrupted once it has a core, and a purchase spends half of its gateway
 * time before each of its two commits.
 */
import { limits } from '../../src/core/limits.ts';
import { Group, type Item } from './group.ts';
import { batchCost, type Cost } from './measured.ts';
import { exponential, logNormal, type Random, randomOf } from './random.ts';
import { Resource, takeAll, use } from './resource.ts';
import { Simulation } from './simulation.ts';
import { Wal } from './wal.ts';

export type Setup = {
  readonly cost: Cost;
  /** Purchases per second at random times, or this many clients that each wait for an answer. */
  readonly load: { readonly perSecond: number } | { readonly clients: number };
  readonly purchases: number;
  readonly gateways: number;
  /** PostgreSQL's cores. With `isOneMachine` everything shares them, including the clients. */
  readonly databaseCores: number;
  readonly isOneMachine: boolean;
  readonly wallets: number;
  /** The load balancer sends a merchant's purchases to one gateway. */
  readonly isSticky: boolean;
  /** Undefined: the sandbox, which answers at once. */
  readonly provider: Provider | undefined;
  readonly seed: number;
};

export type Provider = { readonly p50Ms: number; readonly p99Ms: number; readonly atOnce: number };

export type Simulated = {
  readonly ratePerS: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly itemsPerCommit: number;
  /**
   * The fraction of the time in which the log is flushed. It is not a limit, because one flush
   * serves all waiting commits.
   */
  readonly flushing: number;
  /** Utilisation by resource, the highest first: above 0.95 it is the limit. */
  readonly usage: readonly { readonly what: string; readonly share: number }[];
};

const MS = 1_000;
const SECOND = 1_000_000;
/** The purchases that arrive while the system fills up. */
const WARM_UP_SHARE = 0.1;

/** The state of one run. */
type Model = {
  readonly setup: Setup;
  readonly random: Random;
  readonly simulation: Simulation;
  readonly cores: Resource;
  readonly threads: readonly Resource[];
  readonly client: Resource;
  readonly locks: readonly Resource[];
  readonly places: Resource;
  readonly wal: Wal;
  readonly counts: { batches: number; items: number };
};

export function simulate(setup: Setup): Simulated {
  const simulation = new Simulation();
  const places = (count: number): Resource => new Resource(simulation, count);
  const model: Model = {
    setup,
    simulation,
    random: randomOf(setup.seed),
    cores: places(setup.databaseCores),
    threads: Array.from({ length: setup.gateways }, () => places(1)),
    client: places(1),
    locks: Array.from({ length: setup.wallets }, () => places(1)),
    places: places(setup.provider?.atOnce ?? 1),
    wal: new Wal(simulation, setup.cost.flushUs),
    counts: { batches: 0, items: 0 },
  };
  const groups = model.threads.map(
    () => new Group(simulation, setup.gateways > 1, (batch, done) => commit(model, batch, done)),
  );
  const times: number[] = [];
  const ends: number[] = [];
  arrive(model, (startedAt, then) =>
    buy(model, groups, () => {
      times.push(simulation.now - startedAt);
      ends.push(simulation.now);
      then();
    }),
  );
  simulation.run(() => ends.length >= setup.purchases);
  return toResult(model, times, ends);
}

/** On a schedule, every purchase at its own time; or each client's next after its last answer. */
function arrive(model: Model, start: (startedAt: number, then: () => void) => void): void {
  const { simulation, random, setup } = model;
  const { load } = setup;
  if ('clients' in load) {
    const next = (): void => askFor(model, () => start(simulation.now, next));
    for (let client = 0; client < load.clients; client += 1) next();
    return;
  }
  const gapUs = SECOND / load.perSecond;
  const next = (left: number): void => {
    if (left === 0) return;
    simulation.after(exponential(random, gapUs), () => {
      start(simulation.now, () => undefined);
      next(left - 1);
    });
  };
  next(setup.purchases);
}

/** The load generator writes its next request: on its own thread, on the shared cores. */
function askFor({ simulation, client, cores, setup }: Model, then: () => void): void {
  use(simulation, setup.isOneMachine ? [client, cores] : [client], setup.cost.clientUs, then);
}

function buy(model: Model, groups: readonly Group[], done: () => void): void {
  const { simulation, random, setup, threads, cores } = model;
  const wallet = Math.floor(random() * setup.wallets);
  const at = setup.isSticky ? wallet % setup.gateways : Math.floor(random() * setup.gateways);
  const [thread, group] = [threads[at] as Resource, groups[at] as Group];
  const work = (then: () => void): void =>
    use(simulation, setup.isOneMachine ? [thread, cores] : [thread], setup.cost.gatewayUs / 2, then);
  work(() =>
    group.submit({
      wallet,
      done: () => callProvider(model, () => work(() => group.submit({ wallet, done }))),
    }),
  );
}

function callProvider({ simulation, random, places, setup }: Model, then: () => void): void {
  if (setup.provider === undefined) {
    then();
    return;
  }
  const { p50Ms, p99Ms } = setup.provider;
  use(simulation, [places], logNormal(random, p50Ms, p99Ms) * MS, then);
}

/** Takes the locks in the order of the wallets, a core and the flush; then releases all of them. */
function commit(
  { simulation, locks, cores, wal, setup, counts }: Model,
  batch: readonly Item[],
  done: () => void,
): void {
  const { itemUs, batchUs } = batchCost(setup.cost);
  counts.batches += 1;
  counts.items += batch.length;
  const wallets = [...new Set(batch.map(({ wallet }) => wallet))].sort((a, b) => a - b);
  const held = wallets.map((wallet) => locks[wallet] as Resource);
  takeAll(held, () =>
    use(simulation, [cores], batchUs + itemUs * batch.length, () =>
      wal.commit(() => {
        for (const lock of held) lock.release();
        use(simulation, [cores], (setup.cost.backgroundUs / 2) * batch.length, () => undefined);
        done();
      }),
    ),
  );
}

function toResult(model: Model, times: readonly number[], ends: readonly number[]): Simulated {
  const { setup, threads, cores, places, wal, counts } = model;
  const itemsPerCommit = counts.items / counts.batches;
  const from = Math.floor(times.length * WARM_UP_SHARE);
  const sorted = Float64Array.from(times.slice(from)).sort();
  const quantile = (share: number): number =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0) / MS;
  const most = (resources: readonly Resource[]): number =>
    resources.reduce((max, resource) => Math.max(max, resource.usage()), 0);
  const usage = [
    { what: 'the thread of a gateway', share: most(threads) },
    { what: setup.isOneMachine ? 'the cores of the machine' : "PostgreSQL's cores", share: cores.usage() },
    // An item that waits for a wallet's lock goes into the next batch, until that is full.
    {
      what: "a batch, which grows while it waits for wallets' locks",
      share: itemsPerCommit / limits.batchMax,
    },
    ...(setup.provider === undefined ? [] : [{ what: "the provider's places", share: places.usage() }]),
  ].toSorted((one, other) => other.share - one.share);
  return {
    ratePerS: ((ends.length - from - 1) * SECOND) / ((ends.at(-1) ?? 0) - (ends[from] ?? 0)),
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    itemsPerCommit,
    flushing: wal.usage(),
    usage,
  };
}
