/** The lookups of a merchant, on the small and on the large database, in turns. */
import type { LoadGenerator } from '../../bench/load/generator.ts';
import type { LoadJob, LoadResult } from '../../bench/load/job.ts';
import { countAnswers, formatMs, formatRatio, median, rangeOf } from '../../bench/results.ts';
import { FLAT, type InTurns, lookInTurns, p50sOf } from '../../bench/scenarios/look-in-turns.ts';
import { ProcessorTime } from './processor-time.ts';
import type { Rounds, Row } from './row.ts';
import type { Store, StoreName } from './store.ts';

type LookUp = {
  readonly name: string;
  readonly expect: string;
  readonly paths: (store: Store) => readonly string[];
};

const listed = '"items":[{';
const none = '"items":[]';

function list(what: string, query: string, expect = listed): LookUp {
  return { name: `list, first page: ${what}`, expect, paths: () => [`/v1/transactions?${query}`] };
}

const lookUps: readonly LookUp[] = [
  {
    name: 'status by reference',
    expect: '"code":"00"',
    paths: ({ samples }) =>
      samples.map(({ reference }) => `/v1/transactions/status?request_ref=${reference}`),
  },
  list('everything', ''),
  list('success, which are many', 'status=0'),
  list('failed, one in twenty', 'status=1'),
  list('one network, a third', 'network=mtn'),
  list('a network whose purchases are few and old', 'network=9mobile'),
  list('pending, which are none', 'status=2', none),
  list('a number that has bought nothing', 'msisdn=08039999999&network=glo&status=1', none),
  {
    name: 'list, first page: one number',
    expect: listed,
    paths: ({ samples }) => samples.map(({ msisdn }) => `/v1/transactions?msisdn=${msisdn}`),
  },
  {
    name: 'list, a page in the middle of the history',
    expect: listed,
    paths: ({ samples }) => middleOf(samples).map(({ id }) => `/v1/transactions?cursor=${id}`),
  },
  {
    name: 'statement of all days, first page',
    expect: listed,
    paths: ({ days }) => [`/v1/wallet/statement?from=${days.from}&to=${days.to}`],
  },
  {
    name: 'statement of all days, a page in its middle',
    expect: listed,
    paths: ({ days, samples }) =>
      middleOf(samples).map(
        ({ id }) =>
          `/v1/wallet/statement?from=${days.from}&to=${days.to}&cursor=${id}.${samples.at(-1)?.id ?? id}`,
      ),
  },
  {
    name: 'statement of one day in the middle, first page',
    expect: listed,
    paths: ({ days }) => [`/v1/wallet/statement?from=${days.middle}&to=${days.middle}`],
  },
  { name: 'balance of the wallet', expect: '"balance":"', paths: () => ['/v1/wallet/balance'] },
  { name: 'feed from its beginning', expect: '"data":[{', paths: () => ['/v1/events?limit=50'] },
  {
    name: 'feed in its middle',
    expect: '"data":[{',
    paths: (store) =>
      feedAfter(
        store,
        middleOf(store.samples).map(({ place }) => place),
      ),
  },
  {
    name: 'feed at its end, the last ten',
    expect: '"data":[{',
    paths: (store) => feedAfter(store, [store.feedEnd]),
  },
];

function middleOf<T>(samples: readonly T[]): readonly T[] {
  return samples.slice(Math.floor(samples.length * 0.4), Math.ceil(samples.length * 0.6));
}

function feedAfter(store: Store, places: readonly bigint[]): string[] {
  return places.map((place) => `/v1/events?limit=50&wait=0&after=${store.cursorAfter(place)}`);
}

export async function measureLookUps(
  load: LoadGenerator,
  stores: Readonly<Record<StoreName, Store>>,
  { rounds, lookupS }: Rounds,
  tell: (row: Row) => void,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (const lookUp of lookUps) {
    const time = await ProcessorTime.open(stores);
    const look = (which: StoreName, seconds: number): Promise<LoadResult> => {
      const store = stores[which];
      const job: LoadJob = {
        port: store.gateway.port,
        connections: 1,
        credentials: [store.hot],
        expect: lookUp.expect,
        requests: { kind: 'lookups', paths: lookUp.paths(store) },
        pace: { kind: 'closed', seconds },
      };
      return time.around(which, () => load.run(job));
    };
    const row = toRow(lookUp, await lookInTurns({ rounds, lookupS }, look), time);
    rows.push(row);
    tell(row);
  }
  return rows;
}

/** Compared by processor time if it is available. */
function toRow({ name }: LookUp, { ofSmall, ofLarge }: InTurns, time: ProcessorTime): Row {
  const [before, after] = [median(p50sOf(ofSmall)), median(p50sOf(ofLarge))];
  const ratio = time.ratio();
  const seen =
    ratio === undefined
      ? ''
      : `, processor time ${formatMs(time.ofAnswer('small') ?? 0)}: ${formatRatio(ratio)}`;
  return {
    name: `${name}, p50`,
    figure: formatMs(after),
    range: rangeOf(p50sOf(ofLarge), formatMs),
    goal: `at most ${FLAT}× the small one's ${formatMs(before)}: ${formatRatio(after / before)}${seen}`,
    met: (ratio ?? after / before) <= FLAT,
    ...countAnswers([...ofSmall, ...ofLarge]),
  };
}
