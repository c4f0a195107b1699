/**
 * Purchases over HTTP at the maximum rate, of one wallet and of many, on the small and on the large
 * database, alternating.
 */

import type { LoadGenerator } from '../../bench/load/generator.ts';
import type { Credential, LoadResult } from '../../bench/load/job.ts';
import { countAnswers, formatRate, formatRatio, median, rangeOf, ratePerS } from '../../bench/results.ts';
import { CONNECTIONS } from '../../bench/scenarios/throughput.ts';
import { newId } from '../../src/core/ids.ts';
import { ProcessorTime } from './processor-time.ts';
import type { Rounds, Row } from './row.ts';
import type { Store, StoreName } from './store.ts';

const SHARE_LEAST = 0.8;
/**
 * Each wallet first buys this many. A merchant's first purchase after a checkpoint writes whole
 * pages into the log, and reads them from outside PostgreSQL's memory.
 */
const WARM_UP_EACH = 8;

export async function measureAccept(
  load: LoadGenerator,
  stores: Readonly<Record<StoreName, Store>>,
  { rounds, seconds }: Rounds,
  tell: (row: Row) => void,
): Promise<Row[]> {
  const run = newId().slice(-8);
  let bought = 0;
  const buy = async (which: StoreName, isHot: boolean, forS: number, count = 0): Promise<LoadResult> => {
    const { gateway, hot, all } = stores[which];
    const credentials: readonly Credential[] = isHot ? [hot] : all;
    const result = await load.run({
      port: gateway.port,
      connections: CONNECTIONS,
      credentials,
      expect: '"response_code":"00"',
      requests: {
        kind: 'purchases',
        path: '/v1/transactions/airtime/sync',
        run,
        from: bought,
        networks: ['mtn', 'glo', 'airtel'],
      },
      pace: { kind: 'closed', seconds: forS, count },
    });
    bought += result.sent;
    return result;
  };
  const rows: Row[] = [];
  // Many wallets first: the purchases of one wallet would enlarge the small database too much.
  for (const isHot of [false, true]) {
    for (const which of ['small', 'large'] as const)
      await buy(which, isHot, seconds / 2, isHot ? 0 : WARM_UP_EACH * stores[which].all.length);
    const results = { small: [] as LoadResult[], large: [] as LoadResult[] };
    const time = await ProcessorTime.open(stores);
    for (let round = 0; round < rounds; round += 1) {
      for (const which of ['small', 'large'] as const)
        results[which].push(await time.around(which, () => buy(which, isHot, seconds)));
    }
    const row = toRow(results, isHot ? 'one wallet' : `${stores.large.all.length} wallets`, time);
    rows.push(row);
    tell(row);
  }
  return rows;
}

/**
 * Compares each round of the large database with the previous round of the small one, by processor
 * time if it is available, because other work on the machine changes the rates.
 */
function toRow(
  { small, large }: Readonly<Record<StoreName, LoadResult[]>>,
  wallets: string,
  time: ProcessorTime,
): Row {
  const [before, after] = [small.map(ratePerS), large.map(ratePerS)];
  const share = median(after.map((rate, round) => rate / (before[round] ?? rate)));
  const ratio = time.ratio();
  const ofProcessor = ratio === undefined ? undefined : 1 / ratio;
  const seen = ofProcessor === undefined ? '' : `, by processor time ${formatRatio(ofProcessor)}`;
  return {
    name: `sync airtime, ${wallets}, ${CONNECTIONS} connections`,
    figure: formatRate(median(after)),
    range: rangeOf(after, formatRate),
    goal: `at least ${SHARE_LEAST}× the small one's ${formatRate(median(before))}: ${formatRatio(share)}${seen}`,
    met: (ofProcessor ?? share) >= SHARE_LEAST,
    ...countAnswers([...small, ...large]),
  };
}
