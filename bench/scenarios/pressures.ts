/**
 * The effect of disturbances on the rate of one hot wallet: each kind in its own round, compared
 * with a calm round. The figure includes the processor time that the disturbance uses. The pressure
 * suite (bench/pressure) has a limit for each kind.
 */
import type { Bench } from '../bench.ts';
import { LoadGenerator } from '../load/generator.ts';
import type { Credential, LoadJob, LoadResult } from '../load/job.ts';
import { deepIds, whileSnapshotHeld, whileWalletLocked } from '../pressure/pressure-store.ts';
import { countAnswers, formatRate, formatRatio, type ResultRow, ratePerS } from '../results.ts';
import { openShop, type Shop } from '../shop.ts';
import { CONNECTIONS } from './throughput.ts';

const LISTERS = 24;
const GUESSERS = 24;
const WAITERS = 24;
/** Between two requests of one of them. */
const PAUSE_MS = 50;
const DEEP = 2_000;

type Trouble = {
  readonly name: string;
  /** Causes it while `work` runs. */
  readonly during: (work: () => Promise<LoadResult>) => Promise<LoadResult>;
};

export async function pressures(bench: Bench): Promise<ResultRow[]> {
  const { scale, progress } = bench;
  const shop = await openShop(bench, 'pressures', 'all');
  await using gateway = shop.gateway;
  const others = bench.stack.use(new LoadGenerator());
  const [other] = await shop.openWallets(1);
  if (other === undefined) throw new Error('a wallet was asked for');
  const order = { mode: 'sync', credentials: [shop.hot], connections: CONNECTIONS } as const;
  const buy = (): Promise<LoadResult> =>
    shop.purchase(gateway, { ...order, pace: { kind: 'closed', seconds: scale.roundS } });
  await buy();
  const results: { name: string; result: LoadResult }[] = [];
  for (const { name, during } of await troublesOf(shop, others, other, scale.roundS)) {
    const result = await during(buy);
    progress(`${name}: ${formatRate(ratePerS(result))}`);
    results.push({ name, result });
  }
  const calm = ratePerS(results[0]?.result ?? { good: 0, seconds: 0 });
  return results.map(({ name, result }) => ({
    scenario: 'pressures',
    name: `sync airtime, one wallet, ${name}`,
    figure: formatRate(ratePerS(result)),
    range: '',
    goal: calm > 0 ? `${formatRatio(ratePerS(result) / calm)} of the calm round` : '',
    met: undefined,
    ...countAnswers([result]),
    drawn: [{ chart: 'rate-under-pressure', series: name, points: [[0, ratePerS(result)]] }],
  }));
}

async function troublesOf(
  shop: Shop,
  others: LoadGenerator,
  other: Credential,
  seconds: number,
): Promise<Trouble[]> {
  const { port } = shop.gateway;
  const ids = await deepIds(shop.database, shop.hot.merchant, DEEP, 100);
  // A short history is not that deep.
  const paths = ids.length === 0 ? ['/v1/transactions'] : ids.map((id) => `/v1/transactions?cursor=${id}`);
  const pace = { kind: 'closed', seconds, pauseMs: PAUSE_MS } as const;
  const lists: LoadJob = {
    port,
    pace,
    connections: LISTERS,
    credentials: [shop.hot],
    expect: '"items":[',
    requests: { kind: 'lookups', paths },
  };
  const guesses: LoadJob = {
    ...lists,
    connections: GUESSERS,
    credentials: [{ ...shop.hot, secret: 'a guess' }],
  };
  const waiting: LoadJob = {
    port,
    pace,
    connections: WAITERS,
    credentials: [other],
    expect: '"response_code":"00"',
    requests: {
      kind: 'purchases',
      path: '/v1/transactions/airtime/sync',
      run: 'waiting',
      from: 0,
      networks: ['mtn'],
    },
  };
  const beside =
    (job: LoadJob): Trouble['during'] =>
    async (work) =>
      (await Promise.all([work(), others.run(job)]))[0];
  /** With a lock or a snapshot of another connection. */
  const held =
    (hold: (work: () => Promise<void>) => Promise<void>, during: Trouble['during']): Trouble['during'] =>
    async (work) => {
      let result: Promise<LoadResult> | undefined;
      await hold(async () => {
        result = during(work);
        await result;
      });
      if (result === undefined) throw new Error('nothing was measured');
      return await result;
    };
  const alone: Trouble['during'] = (work) => work();
  const { database } = shop;
  return [
    { name: 'calm', during: alone },
    { name: `${LISTERS} callers list deep pages`, during: beside(lists) },
    { name: `${GUESSERS} callers guess at its secret`, during: beside(guesses) },
    {
      name: 'a snapshot is held',
      during: held((work) => whileSnapshotHeld(database, work), alone),
    },
    {
      name: 'another wallet is locked, and 24 wait for it',
      during: async (work) => {
        // Waiting purchases are answered once the lock is gone.
        const started = Promise.withResolvers<Promise<LoadResult>>();
        const measure = held(
          (inner) => whileWalletLocked(database, other.merchant, inner),
          (measured) => {
            started.resolve(others.run(waiting));
            return measured();
          },
        );
        const result = await measure(work);
        await await started.promise;
        return result;
      },
    },
  ];
}
