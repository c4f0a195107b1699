/**
 * The maximum rate of sync airtime, on one wallet and on many, compared with the baseline. The
 * rounds of all four alternate.
 */
import type { Bench } from '../bench.ts';
import type { LoadResult } from '../load/job.ts';
import {
  countAnswers,
  formatMs,
  formatRate,
  formatRatio,
  median,
  type ResultRow,
  rangeOf,
  ratePerS,
} from '../results.ts';
import { openShop } from '../shop.ts';
import { BASELINE_CONNECTIONS, openBaseline } from './baseline.ts';

export const CONNECTIONS = 256;
const TIMES_BASELINE = 6;
const SHARE_OF_HOT = 0.9;

type Rounds = {
  readonly fourTrips: { good: number; seconds: number }[];
  readonly oneTrip: { good: number; seconds: number }[];
  readonly hot: LoadResult[];
  readonly spread: LoadResult[];
};

export async function throughput(bench: Bench): Promise<ResultRow[]> {
  const { scale, progress } = bench;
  const baseline = await openBaseline(bench);
  const shop = await openShop(bench, 'throughput', 'all');
  progress(`opening ${scale.wallets} wallets`);
  const wallets = await shop.openWallets(scale.wallets);
  await using gateway = shop.gateway;
  const order = { mode: 'sync', connections: CONNECTIONS } as const;
  const load = (credentials: typeof wallets, seconds: number): Promise<LoadResult> =>
    shop.purchase(gateway, { ...order, credentials, pace: { kind: 'closed', seconds } });

  progress('warming up');
  await baseline.fourTrips(scale.warmUpS);
  await load([shop.hot], scale.warmUpS);
  await load(wallets, scale.warmUpS);
  const rounds: Rounds = { fourTrips: [], oneTrip: [], hot: [], spread: [] };
  for (let round = 1; round <= scale.rounds; round += 1) {
    rounds.fourTrips.push(await baseline.fourTrips(scale.baselineS));
    rounds.hot.push(await load([shop.hot], scale.roundS));
    rounds.oneTrip.push(await baseline.oneTrip(scale.baselineS));
    rounds.spread.push(await load(wallets, scale.roundS));
    const [four, one, hot, spread] = [rounds.fourTrips, rounds.oneTrip, rounds.hot, rounds.spread].map(
      (list) => formatRate(list.map(ratePerS).at(-1) ?? 0),
    );
    progress(
      `round ${round}: baseline ${four} and ${one}, one wallet ${hot}, ${scale.wallets} wallets ${spread}`,
    );
  }
  return toRows(rounds, scale.wallets);
}

function toRows(rounds: Rounds, wallets: number): ResultRow[] {
  const fourTrips = rounds.fourTrips.map(ratePerS);
  const oneTrip = rounds.oneTrip.map(ratePerS);
  const hot = rounds.hot.map(ratePerS);
  const spread = rounds.spread.map(ratePerS);
  const timesFour = median(hot) / median(fourTrips);
  const timesOne = median(hot) / median(oneTrip);
  const share = median(spread) / median(hot);
  const row = (name: string, rates: number[], results: readonly { good: number }[]): ResultRow => ({
    scenario: 'throughput',
    name,
    figure: formatRate(median(rates)),
    range: rangeOf(rates, formatRate),
    goal: '',
    met: undefined,
    good: results.reduce((sum, { good }) => sum + good, 0),
    errors: {},
  });
  const latency = `p50 ${formatMs(median(rounds.hot.map((r) => r.latencyMs.p50)))}, p99 ${formatMs(median(rounds.hot.map((r) => r.latencyMs.p99)))}`;
  return [
    row(
      `baseline: ${BASELINE_CONNECTIONS} connections, one wallet, four statements`,
      fourTrips,
      rounds.fourTrips,
    ),
    row(`baseline: ${BASELINE_CONNECTIONS} connections, one wallet, one statement`, oneTrip, rounds.oneTrip),
    {
      ...row(`sync airtime, one wallet, ${CONNECTIONS} connections (${latency})`, hot, rounds.hot),
      goal: `at least ${TIMES_BASELINE}× four statements: ${formatRatio(timesFour)} (${formatRatio(timesOne)} one statement)`,
      met: timesFour >= TIMES_BASELINE,
      ...countAnswers(rounds.hot),
    },
    {
      ...row(`sync airtime, ${wallets} wallets, ${CONNECTIONS} connections`, spread, rounds.spread),
      goal: `at least ${SHARE_OF_HOT}× one wallet: ${formatRatio(share)}`,
      met: share >= SHARE_OF_HOT,
      ...countAnswers(rounds.spread),
    },
  ];
}
