/**
 * Async airtime: how fast purchases are accepted, how fast a worker empties the queue, and both in
 * one process.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Bench } from '../bench.ts';
import { countPurchases } from '../bench-store.ts';
import type { Gateway } from '../gateway.ts';
import type { LoadResult } from '../load/job.ts';
import { countAnswers, formatRate, median, type ResultRow, rangeOf, ratePerS } from '../results.ts';
import { openShop, type Shop } from '../shop.ts';
import { CONNECTIONS } from './throughput.ts';

const DRAIN_PER_S = 4_000;
const POLL_MS = 100;
/** A queue that is not empty by then is stuck. */
const DRAIN_MS = 300_000;

type Drain = { readonly good: number; readonly seconds: number };

export async function asyncPurchases(bench: Bench): Promise<ResultRow[]> {
  const { scale, progress } = bench;
  const shop = await openShop(bench, 'async', 'api');
  const sync: LoadResult[] = [];
  const accept: LoadResult[] = [];
  {
    // Without a worker: accepts only. The sync rounds use the same process.
    await using api = shop.gateway;
    await load(shop, api, 'sync', scale.warmUpS);
    await load(shop, api, 'async', scale.warmUpS);
    for (let round = 1; round <= scale.rounds; round += 1) {
      sync.push(await load(shop, api, 'sync', scale.roundS));
      accept.push(await load(shop, api, 'async', scale.roundS));
      const [syncRate, acceptRate] = [sync, accept].map((list) => formatRate(list.map(ratePerS).at(-1) ?? 0));
      progress(`round ${round}: sync ${syncRate}, accept ${acceptRate}`);
    }
  }
  const drain = await drainWithWorker(shop);
  progress(`a worker drained ${drain.good.toLocaleString('en')} at ${formatRate(ratePerS(drain))}`);
  const both = await acceptAndDrain(bench, shop);
  return [...toRows(sync, accept, drain), ...bothRows(both)];
}

function load(shop: Shop, gateway: Gateway, mode: 'sync' | 'async', seconds: number): Promise<LoadResult> {
  const pace = { kind: 'closed', seconds } as const;
  return shop.purchase(gateway, { mode, credentials: [shop.hot], connections: CONNECTIONS, pace });
}

async function drainWithWorker(shop: Shop): Promise<Drain> {
  const { final } = await countPurchases(shop.database);
  const startedAt = performance.now();
  await using _worker = await shop.startGateway('worker');
  // From its first purchase, so that its start does not count.
  while ((await countPurchases(shop.database)).final === final && performance.now() - startedAt < DRAIN_MS) {
    await sleep(1);
  }
  return await untilDrained(shop);
}

async function untilDrained(shop: Shop): Promise<Drain> {
  const startMs = performance.now();
  const first = await countPurchases(shop.database);
  let now = first;
  while (now.final < now.accepted && performance.now() - startMs < DRAIN_MS) {
    await sleep(POLL_MS);
    now = await countPurchases(shop.database);
  }
  return { good: now.final - first.final, seconds: (performance.now() - startMs) / 1_000 };
}

type Both = { readonly accept: LoadResult; readonly wholePerS: number };

async function acceptAndDrain({ scale, progress }: Bench, shop: Shop): Promise<Both[]> {
  await using gateway = await shop.startGateway('all');
  await load(shop, gateway, 'async', scale.warmUpS);
  await untilDrained(shop);
  const rounds: Both[] = [];
  for (let round = 1; round <= scale.rounds; round += 1) {
    const accept = await load(shop, gateway, 'async', scale.roundS);
    const { seconds } = await untilDrained(shop);
    const wholePerS = accept.good / (accept.seconds + seconds);
    rounds.push({ accept, wholePerS });
    progress(
      `round ${round}: accept beside the worker ${formatRate(ratePerS(accept))}, all final ${formatRate(wholePerS)}`,
    );
  }
  return rounds;
}

function toRows(sync: readonly LoadResult[], accept: readonly LoadResult[], drain: Drain): ResultRow[] {
  const rates = accept.map(ratePerS);
  const syncRate = median(sync.map(ratePerS));
  return [
    {
      scenario: 'async',
      name: `async airtime accepted, ${CONNECTIONS} connections, no worker`,
      figure: formatRate(median(rates)),
      range: rangeOf(rates, formatRate),
      goal: `at least sync of the same process: ${formatRate(syncRate)}`,
      met: median(rates) >= syncRate,
      ...countAnswers([...accept, ...sync]),
    },
    {
      scenario: 'async',
      name: `worker on a queue of ${drain.good.toLocaleString('en')}`,
      figure: formatRate(ratePerS(drain)),
      range: '',
      goal: `at least ${formatRate(DRAIN_PER_S)}`,
      met: ratePerS(drain) >= DRAIN_PER_S,
      good: drain.good,
      errors: {},
    },
  ];
}

function bothRows(rounds: readonly Both[]): ResultRow[] {
  const results = rounds.map(({ accept }) => accept);
  const accepted = results.map(ratePerS);
  const whole = rounds.map(({ wholePerS }) => wholePerS);
  const common = { scenario: 'async', goal: '', met: undefined, ...countAnswers(results) } as const;
  return [
    {
      ...common,
      name: `async airtime accepted, ${CONNECTIONS} connections, worker in the same process`,
      figure: formatRate(median(accepted)),
      range: rangeOf(accepted, formatRate),
    },
    {
      ...common,
      name: 'the same, from the first request to the last outcome',
      figure: formatRate(median(whole)),
      range: rangeOf(whole, formatRate),
    },
  ];
}
