/**
 * How latency grows with the load: sync purchases on a schedule, at fractions of the peak that was
 * measured just before.
 */
import type { Bench } from '../bench.ts';
import type { LoadResult, Pace } from '../load/job.ts';
import { countAnswers, formatMs, formatRate, type ResultRow, ratePerS } from '../results.ts';
import { openShop } from '../shop.ts';
import { CONNECTIONS } from './throughput.ts';

/** Fractions of the peak, and the goal for p99 in milliseconds, if there is one. */
const SHARES: readonly { readonly share: number; readonly p99Ms?: number }[] = [
  { share: 0.1, p99Ms: 8 },
  { share: 0.25, p99Ms: 12 },
  { share: 0.5, p99Ms: 20 },
  { share: 0.65 },
  { share: 0.8 },
  { share: 0.9 },
];

export async function load(bench: Bench): Promise<ResultRow[]> {
  const { scale, progress } = bench;
  const shop = await openShop(bench, 'load', 'all');
  await using gateway = shop.gateway;
  const buy = (pace: Pace): Promise<LoadResult> =>
    shop.purchase(gateway, { mode: 'sync', credentials: [shop.hot], connections: CONNECTIONS, pace });
  await buy({ kind: 'closed', seconds: scale.warmUpS });
  const peak = ratePerS(await buy({ kind: 'closed', seconds: scale.roundS }));
  const results: LoadResult[] = [];
  for (const { share } of SHARES) {
    const result = await buy({ kind: 'open', perSecond: peak * share, seconds: scale.roundS });
    progress(`${formatRate(ratePerS(result))}: p99 ${formatMs(result.latencyMs.p99)}`);
    results.push(result);
  }
  const line = (quantile: 'p50' | 'p99'): readonly (readonly [number, number])[] =>
    results.map((result) => [ratePerS(result), result.latencyMs[quantile]]);
  return results.map((result, index) => ({
    scenario: 'load',
    ...p99Of(result, SHARES[index] ?? { share: 0 }),
    range: '',
    ...countAnswers([result]),
    // One line covers all rows.
    ...(index === 0 && {
      drawn: (['p99', 'p50'] as const).map((quantile) => ({
        chart: 'latency-against-load' as const,
        series: quantile,
        points: line(quantile),
      })),
    }),
  }));
}

function p99Of(
  result: LoadResult,
  { share, p99Ms }: (typeof SHARES)[number],
): Pick<ResultRow, 'name' | 'figure' | 'goal' | 'met'> {
  const { p50, p99 } = result.latencyMs;
  return {
    name: `sync airtime at ${Math.round(share * 100)} % of the peak (${formatRate(ratePerS(result))}), p99`,
    figure: formatMs(p99),
    goal: `${p99Ms === undefined ? '' : `under ${p99Ms} ms; `}p50 is ${formatMs(p50)}`,
    met: p99Ms === undefined ? undefined : p99 < p99Ms,
  };
}
