/**
 * How latency grows with the load: sync purchases on a schedule, at shares of the peak that was
 * measured just before.
 */
import type { Bench } from '../bench.ts';
import type { LoadResult, Pace } from '../load/job.ts';
import { countAnswers, formatMs, formatRate, type ResultRow, ratePerS } from '../results.ts';
import { openShop } from '../shop.ts';
import { CONNECTIONS } from './throughput.ts';

const SHARES = [0.1, 0.25, 0.5, 0.65, 0.8, 0.9];

export async function load(bench: Bench): Promise<ResultRow[]> {
  const { scale, progress } = bench;
  const shop = await openShop(bench, 'load', 'all');
  await using gateway = shop.gateway;
  const buy = (pace: Pace): Promise<LoadResult> =>
    shop.purchase(gateway, { mode: 'sync', credentials: [shop.hot], connections: CONNECTIONS, pace });
  await buy({ kind: 'closed', seconds: scale.warmUpS });
  const peak = ratePerS(await buy({ kind: 'closed', seconds: scale.roundS }));
  const results: LoadResult[] = [];
  for (const share of SHARES) {
    const result = await buy({ kind: 'open', perSecond: peak * share, seconds: scale.roundS });
    progress(`${formatRate(ratePerS(result))}: p99 ${formatMs(result.latencyMs.p99)}`);
    results.push(result);
  }
  const line = (quantile: 'p50' | 'p99'): readonly (readonly [number, number])[] =>
    results.map((result) => [ratePerS(result), result.latencyMs[quantile]]);
  return results.map((result, index) => ({
    scenario: 'load',
    name: `sync airtime at ${Math.round((SHARES[index] ?? 0) * 100)} % of the peak (${formatRate(ratePerS(result))}), p99`,
    figure: formatMs(result.latencyMs.p99),
    range: '',
    goal: `p50 is ${formatMs(result.latencyMs.p50)}`,
    met: undefined,
    ...countAnswers([result]),
    // The lines are of all rows together.
    ...(index === 0 && {
      drawn: (['p99', 'p50'] as const).map((quantile) => ({
        chart: 'latency-against-load' as const,
        series: quantile,
        points: line(quantile),
      })),
    }),
  }));
}
