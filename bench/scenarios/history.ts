/**
 * The cost of a long history: lookups on a small and on a large one, alternating, and the memory of
 * the gateway that created the large one.
 *
 * The first purchases of each history are rare ones, so lookups that find few rows must pass all
 * others.
 */
import type { Bench } from '../bench.ts';
import { type LoadResult, msisdnOf, referenceOf } from '../load/job.ts';
import { untilAtRest } from '../rest.ts';
import {
  countAnswers,
  formatMb,
  formatMs,
  formatRate,
  formatRatio,
  median,
  type ResultRow,
  rangeOf,
  ratePerS,
} from '../results.ts';
import { openShop, type Shop } from '../shop.ts';
import { FLAT, lookInTurns, p50sOf } from './look-in-turns.ts';
import { CONNECTIONS } from './throughput.ts';

const MEMORY_MAX_BYTES = 200_000_000;
/** Growth within the normal variation of a garbage collector. */
const GROWTH_MAX = 1.05;
const RARE = 10;
const RARE_NETWORK = '9mobile';
const COMMON_NETWORKS = ['mtn', 'glo', 'airtel'];
/** The test number whose purchases fail. */
const FAILING_MSISDN = '08000000001';
const PATHS = 500;
/** A history is bought in this many parts, whose rates are compared. */
const PARTS = 10;
const SAMPLE_MS = 1_000;
const MINUTE_S = 60;

type Lookup = {
  readonly name: string;
  readonly expect: string;
  /** For purchase n of the run. */
  readonly path: (n: number, run: string) => string;
};

const lookups: readonly Lookup[] = [
  {
    name: 'status by reference',
    expect: '"code":"00"',
    path: (n, run) => `/v1/transactions/status?request_ref=${referenceOf(run, n)}`,
  },
  list('everything', () => ''),
  list('success', () => 'status=0'),
  list('failed, which are few and old', () => 'status=1'),
  list('pending, which are none', () => 'status=2', '"items":[]'),
  list('one number', (n) => `msisdn=${msisdnOf(n)}`),
  list('one network', () => `network=${COMMON_NETWORKS[0]}`),
  list('a network whose purchases are few and old', () => `network=${RARE_NETWORK}`),
  list('the same, successes only', () => `network=${RARE_NETWORK}&status=0`),
];

function list(name: string, query: (n: number) => string, expect = '"items":[{'): Lookup {
  return { name: `first page: ${name}`, expect, path: (n) => `/v1/transactions?${query(n)}` };
}

export async function history(bench: Bench): Promise<ResultRow[]> {
  const { scale, progress } = bench;
  const small = await build(await openShop(bench, 'small', 'all'), scale.small, 0);
  progress(`buying ${scale.large.toLocaleString('en')} times`);
  const large = await build(await openShop(bench, 'large', 'all'), scale.large, scale.loadS);
  const rows: ResultRow[] = [rateRow(large), memoryRow(large), ...growthRows(large)];
  // Otherwise the remaining work of the jobs would be measured as part of the lookups.
  rows.push(restRow(large, scale.settleS > 0 ? await untilAtRest(large.shop) : undefined));
  for (const row of rows) progress(`${row.name}: ${row.figure}`);
  for (const lookup of lookups) {
    const row = await compare(bench, lookup, small, large);
    progress(`${row.name}: ${row.figure} (${row.goal})`);
    rows.push(row);
  }
  return rows;
}

type History = {
  readonly shop: Shop;
  /** The first ordinary purchase. */
  readonly first: number;
  readonly results: readonly LoadResult[];
  /** The rate of each part: the number of purchases so far, and the rate up to there. */
  readonly rates: readonly (readonly [number, number])[];
  /** The memory of the gateway, each second of its load. */
  readonly memory: readonly { readonly atS: number; readonly bytes: number }[];
};

/** First the few old purchases, then all others. */
async function build(shop: Shop, count: number, seconds: number): Promise<History> {
  const order = { mode: 'sync', credentials: [shop.hot], connections: CONNECTIONS } as const;
  const few = { ...order, connections: 1, pace: { kind: 'closed', count: RARE, seconds: 0 } } as const;
  const results = [
    await shop.purchase(shop.gateway, { ...few, networks: [RARE_NETWORK] }),
    await shop.purchase(shop.gateway, {
      ...few,
      networks: COMMON_NETWORKS,
      msisdn: FAILING_MSISDN,
      expect: '"response_code":"01"',
    }),
  ];
  const first = shop.bought();
  const samples: { atS: number; bytes: number }[] = [];
  const startMs = performance.now();
  const sample = async (): Promise<void> => {
    const bytes = await shop.gateway.residentBytes();
    samples.push({ atS: (performance.now() - startMs) / 1_000, bytes });
  };
  const timer = setInterval(() => void sample(), SAMPLE_MS);
  const rates: [number, number][] = [];
  for (let part = 1; part <= PARTS; part += 1) {
    const left = Math.ceil((count - shop.bought()) / (PARTS - part + 1));
    const pace = { kind: 'closed', count: Math.max(1, left), seconds: seconds / PARTS } as const;
    const result = await shop.purchase(shop.gateway, { ...order, networks: COMMON_NETWORKS, pace });
    results.push(result);
    rates.push([shop.bought(), ratePerS(result)]);
  }
  clearInterval(timer);
  await sample();
  return { shop, first, results, rates, memory: samples };
}

/** The last part is compared with the second, because in the first everything is new. */
function rateRow({ shop, rates, results }: History): ResultRow {
  const all = rates.map(([, rate]) => rate);
  const [second = 0, last = 0] = [all[1], all.at(-1)];
  return {
    scenario: 'history',
    name: `sync airtime, one wallet, on the way to ${shop.bought().toLocaleString('en')} purchases: the last tenth`,
    figure: formatRate(last),
    range: rangeOf(all, formatRate),
    goal: second > 0 ? `${formatRatio(last / second)} of the second tenth` : '',
    met: undefined,
    ...countAnswers(results),
    drawn: [{ chart: 'rate-against-history', series: 'rate', points: rates }],
  };
}

function memoryRow({ shop, memory, results }: History): ResultRow {
  const bytes = memory.map((sample) => sample.bytes);
  const most = Math.max(...bytes);
  return {
    scenario: 'history',
    name: `memory of the gateway after ${shop.bought().toLocaleString('en')} purchases`,
    figure: formatMb(bytes.at(-1) ?? 0),
    range: rangeOf(bytes, formatMb),
    goal: `under ${formatMb(MEMORY_MAX_BYTES)} at all times`,
    met: most < MEMORY_MAX_BYTES,
    ...countAnswers(results),
  };
}

/** How long the jobs continued after the last purchase: reports, totals, the search. */
function restRow({ shop, results }: History, restedS: number | undefined): ResultRow {
  return {
    scenario: 'history',
    name: `the jobs behind ${shop.bought().toLocaleString('en')} purchases have nothing left to do`,
    figure: restedS === undefined ? 'not seen' : `after ${Math.round(restedS)} s`,
    range: '',
    goal: '',
    met: undefined,
    ...countAnswers(results),
  };
}

/** Undefined if the load did not last five minutes. */
function growthRows({ memory, results }: History): ResultRow[] {
  if ((memory.at(-1)?.atS ?? 0) < 5 * MINUTE_S) return [];
  const minute = (n: number): number[] =>
    memory.filter(({ atS }) => Math.floor(atS / MINUTE_S) === n - 1).map(({ bytes }) => bytes);
  const [second, fifth] = [median(minute(2)), median(minute(5))];
  return [
    {
      scenario: 'history',
      name: 'memory in the fifth minute of load against the second',
      figure: formatRatio(fifth / second),
      range: `${formatMb(second)} – ${formatMb(fifth)}`,
      goal: `at most ${formatRatio(GROWTH_MAX)}`,
      met: fifth / second <= GROWTH_MAX,
      ...countAnswers(results),
    },
  ];
}

async function compare(bench: Bench, lookup: Lookup, small: History, large: History): Promise<ResultRow> {
  const { scale } = bench;
  const ask = ({ shop, first }: History, seconds: number): Promise<LoadResult> =>
    bench.load.run({
      port: shop.gateway.port,
      connections: 1,
      credentials: [shop.hot],
      requests: { kind: 'lookups', paths: pathsOf(lookup, shop, first) },
      pace: { kind: 'closed', seconds },
      expect: lookup.expect,
    });
  const { ofSmall, ofLarge } = await lookInTurns(scale, (which, seconds) =>
    ask(which === 'small' ? small : large, seconds),
  );
  const [before, after] = [median(p50sOf(ofSmall)), median(p50sOf(ofLarge))];
  return {
    scenario: 'history',
    name: `${lookup.name}, p50 at ${large.shop.bought().toLocaleString('en')} purchases`,
    figure: formatMs(after),
    range: rangeOf(p50sOf(ofLarge), formatMs),
    goal:
      `at most ${FLAT}× that at ${small.shop.bought().toLocaleString('en')} (${formatMs(before)}): ` +
      formatRatio(after / before),
    met: after / before <= FLAT,
    ...countAnswers([...ofSmall, ...ofLarge]),
  };
}

/** References from the whole history. */
function pathsOf(lookup: Lookup, shop: Shop, first: number): string[] {
  const step = (shop.bought() - first) / PATHS;
  return Array.from({ length: PATHS }, (_, index) => lookup.path(first + Math.floor(index * step), shop.run));
}
