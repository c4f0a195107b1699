/** How long a sync purchase takes: on a schedule at half the peak, and with few clients. */
import type { Bench } from '../bench.ts';
import type { LoadResult, Pace } from '../load/job.ts';
import { countAnswers, formatMs, formatRate, median, type ResultRow, rangeOf, ratePerS } from '../results.ts';
import { openShop } from '../shop.ts';
import { CONNECTIONS } from './throughput.ts';

const FEW_CONNECTIONS = 16;
const HALF_PEAK_P99_MS = 20;
const FEW_P50_MS = 5;

export async function latency(bench: Bench): Promise<ResultRow[]> {
  const { scale, progress } = bench;
  const shop = await openShop(bench, 'latency', 'all');
  await using gateway = shop.gateway;
  const load = (connections: number, pace: Pace): Promise<LoadResult> =>
    shop.purchase(gateway, { mode: 'sync', credentials: [shop.hot], connections, pace });

  await load(CONNECTIONS, { kind: 'closed', seconds: scale.warmUpS });
  const halfPeak: LoadResult[] = [];
  const few: LoadResult[] = [];
  for (let round = 1; round <= scale.rounds; round += 1) {
    const peak = ratePerS(await load(CONNECTIONS, { kind: 'closed', seconds: scale.roundS / 2 }));
    const scheduled = await load(CONNECTIONS, { kind: 'open', perSecond: peak / 2, seconds: scale.roundS });
    halfPeak.push(scheduled);
    const fewer = await load(FEW_CONNECTIONS, { kind: 'closed', seconds: scale.roundS / 2 });
    few.push(fewer);
    progress(
      `round ${round}: half of ${formatRate(peak)} p99 ${formatMs(scheduled.latencyMs.p99)}, ` +
        `${FEW_CONNECTIONS} connections p50 ${formatMs(fewer.latencyMs.p50)}`,
    );
  }
  return [...halfPeakRows(halfPeak), fewRow(few)];
}

function halfPeakRows(results: readonly LoadResult[]): ResultRow[] {
  const p99 = results.map((result) => result.latencyMs.p99);
  const p50 = median(results.map((result) => result.latencyMs.p50));
  return [
    {
      scenario: 'latency',
      name: `sync airtime on a schedule at half the peak (${formatRate(median(results.map(ratePerS)))}), p99`,
      figure: formatMs(median(p99)),
      range: rangeOf(p99, formatMs),
      goal: `p99 under ${HALF_PEAK_P99_MS} ms; p50 is ${formatMs(p50)}`,
      met: median(p99) < HALF_PEAK_P99_MS,
      ...countAnswers(results),
    },
  ];
}

function fewRow(results: readonly LoadResult[]): ResultRow {
  const p50 = results.map((result) => result.latencyMs.p50);
  const p99 = median(results.map((result) => result.latencyMs.p99));
  return {
    scenario: 'latency',
    name: `sync airtime, ${FEW_CONNECTIONS} connections (${formatRate(median(results.map(ratePerS)))}), p50`,
    figure: formatMs(median(p50)),
    range: rangeOf(p50, formatMs),
    goal: `p50 under ${FEW_P50_MS} ms; p99 is ${formatMs(p99)}`,
    met: median(p50) < FEW_P50_MS,
    ...countAnswers(results),
  };
}
