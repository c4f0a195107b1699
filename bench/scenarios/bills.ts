/**
 * Sync bills on one wallet against sync airtime of the same process: a bill looks its key up and
 * verifies its customer first.
 */
import type { Bench } from '../bench.ts';
import type { Bill, LoadResult } from '../load/job.ts';
import {
  countAnswers,
  formatRate,
  formatRatio,
  median,
  type ResultRow,
  rangeOf,
  ratePerS,
} from '../results.ts';
import { openShop } from '../shop.ts';
import { CONNECTIONS } from './throughput.ts';

const SHARE_OF_AIRTIME = 0.7;

const kinds: readonly { readonly name: string; readonly bill: Bill; readonly expect: string }[] = [
  {
    name: 'sync prepaid electricity',
    bill: {
      product: 'ELECTRICITY',
      network: 'Ikeja Electric',
      plan_code: '2001',
      msisdn: '10000000001',
      amount: '1000',
    },
    expect: '"token":"',
  },
  {
    name: 'sync betting',
    bill: {
      product: 'BETTING',
      network: 'BET9JA',
      plan_code: '2201',
      msisdn: 'TESTBET001',
      amount: '100',
      phone: '08031234567',
    },
    expect: '"response_code":"00"',
  },
];

export async function bills(bench: Bench): Promise<ResultRow[]> {
  const { scale, progress } = bench;
  const shop = await openShop(bench, 'bills', 'all');
  await using gateway = shop.gateway;
  const common = { mode: 'sync', credentials: [shop.hot], connections: CONNECTIONS } as const;
  const buy = (kind: (typeof kinds)[number] | undefined, seconds: number): Promise<LoadResult> =>
    shop.purchase(gateway, {
      ...common,
      pace: { kind: 'closed', seconds },
      ...(kind && { bill: kind.bill, expect: kind.expect }),
    });
  const series = [undefined, ...kinds];
  for (const kind of series) await buy(kind, scale.warmUpS);
  const results: LoadResult[][] = series.map(() => []);
  for (let round = 1; round <= scale.rounds; round += 1) {
    for (const [index, kind] of series.entries()) results[index]?.push(await buy(kind, scale.roundS));
    const latest = results.map((list) => formatRate(list.map(ratePerS).at(-1) ?? 0));
    progress(`round ${round}: airtime ${latest[0]}, electricity ${latest[1]}, betting ${latest[2]}`);
  }
  const [airtime = [], ...ofKinds] = results;
  const airtimeRate = median(airtime.map(ratePerS));
  return [
    toRow('sync airtime beside bills', airtime),
    ...kinds.map(({ name }, index) => {
      const row = toRow(name, ofKinds[index] ?? []);
      const share = median((ofKinds[index] ?? []).map(ratePerS)) / airtimeRate;
      const goal = `at least ${SHARE_OF_AIRTIME}× airtime of the same process: ${formatRatio(share)}`;
      return { ...row, goal, met: share >= SHARE_OF_AIRTIME };
    }),
  ];
}

function toRow(name: string, results: readonly LoadResult[]): ResultRow {
  const rates = results.map(ratePerS);
  return {
    scenario: 'bills',
    name: `${name}, one wallet, ${CONNECTIONS} connections`,
    figure: formatRate(median(rates)),
    range: rangeOf(rates, formatRate),
    goal: '',
    met: undefined,
    ...countAnswers(results),
  };
}
