/**
 * The ratio of a purchase's cost to the cost of its parts: the gateway's processor time in requests
 * of a server that returns a constant, and PostgreSQL's in inserts of the same bytes, in batches of
 * the same size, by one prepared statement. The rounds take turns.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { Bench } from '../bench.ts';
import { createRawRows, type Growth, insertRawRows, readGrowth } from '../bench-store.ts';
import { openBenchDatabase } from '../cluster.ts';
import { ownRoot, readPort } from '../gateway.ts';
import type { LoadResult } from '../load/job.ts';
import { parentOf, processorSeconds } from '../processes.ts';
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

const TIMES_CONSTANT = 2.5;
const TIMES_INSERT = 2.5;
/** A row's header and its pointer in the page, which PostgreSQL adds to inserted data. */
const ROW_OVERHEAD_BYTES = 28;
const MICROSECONDS = 1_000_000;

type Round = {
  readonly constant: LoadResult;
  readonly purchases: LoadResult;
  /** Processor time in microseconds: of a constant request, of a purchase, of its plain insert. */
  readonly constantUs: number;
  readonly gatewayUs: number;
  readonly databaseUs: number;
  readonly insertUs: number;
};

export async function bounds(bench: Bench): Promise<ResultRow[]> {
  const { scale, progress } = bench;
  const shop = await openShop(bench, 'bounds', 'all');
  const constant = await startConstantServer(bench);
  const raw = bench.stack.use(openBenchDatabase(await bench.cluster.createDatabase('raw'), 1));
  await createRawRows(raw);
  const growth = await readGrowth(shop.database);
  const server = (await parentOf(growth.backendPid)) ?? growth.backendPid;
  const spent = async (pid: number): Promise<number> => (await processorSeconds(pid)) ?? 0;

  const measure = async (seconds: number): Promise<Round> => {
    const pace = { kind: 'closed', seconds } as const;
    const atStart = await spent(constant.pid);
    const constantResult = await bench.load.run({
      port: constant.port,
      connections: CONNECTIONS,
      credentials: [shop.hot],
      requests: {
        kind: 'purchases',
        path: '/v1/transactions/airtime/sync',
        run: 'bounds',
        from: 0,
        networks: ['mtn'],
      },
      pace,
      expect: '"response_code":"00"',
    });
    const constantS = (await spent(constant.pid)) - atStart;
    const [before, gatewayFrom, databaseFrom] = await Promise.all([
      readGrowth(shop.database),
      spent(shop.gateway.pid),
      spent(server),
    ]);
    const order = { mode: 'sync', credentials: [shop.hot], connections: CONNECTIONS, pace } as const;
    const purchases = await shop.purchase(shop.gateway, order);
    const [after, gatewayTo, databaseTo] = await Promise.all([
      readGrowth(shop.database),
      spent(shop.gateway.pid),
      spent(server),
    ]);
    const { batch, lines } = rawBatch(before, after, purchases.good);
    const insertFrom = await spent(server);
    for (let left = purchases.good; left > 0; left -= batch) await insertRawRows(raw, lines);
    const insertS = (await spent(server)) - insertFrom;
    return {
      constant: constantResult,
      purchases,
      constantUs: (constantS / constantResult.good) * MICROSECONDS,
      gatewayUs: ((gatewayTo - gatewayFrom) / purchases.good) * MICROSECONDS,
      databaseUs: ((databaseTo - databaseFrom) / purchases.good) * MICROSECONDS,
      insertUs: (insertS / purchases.good) * MICROSECONDS,
    };
  };

  await measure(scale.warmUpS);
  const rounds: Round[] = [];
  for (let round = 1; round <= scale.rounds; round += 1) {
    const figures = await measure(scale.roundS);
    rounds.push(figures);
    const us = (name: keyof Round): string => `${Math.round(Number(figures[name]))} µs`;
    progress(
      `round ${round}: gateway ${us('gatewayUs')} of ${us('constantUs')}, ` +
        `PostgreSQL ${us('databaseUs')} of ${us('insertUs')}`,
    );
  }
  return toRows(rounds);
}

async function startConstantServer({ stack }: Bench): Promise<{ pid: number; port: number }> {
  const child = spawn(process.execPath, [join(ownRoot, 'bench', 'constant-server.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  stack.defer(async () => {
    const gone = once(child, 'exit');
    child.kill('SIGTERM');
    await gone;
  });
  return { port: await readPort(child), pid: child.pid ?? 0 };
}

/** As many rows and bytes as the purchases of one commit write. A purchase has two commits. */
function rawBatch(before: Growth, after: Growth, purchases: number): { batch: number; lines: string[] } {
  const sum = ({ tables }: Growth): number => Object.values(tables).reduce((all, bytes) => all + bytes, 0);
  const batch = Math.max(1, Math.round((2 * purchases) / (after.commits - before.commits)));
  const rows = Math.max(1, Math.round((batch * (after.inserted - before.inserted)) / purchases));
  const bytes = Math.round((batch * (sum(after) - sum(before))) / purchases / rows) - ROW_OVERHEAD_BYTES;
  return { batch, lines: Array.from({ length: rows }, () => 'x'.repeat(Math.max(1, bytes))) };
}

function toRows(rounds: readonly Round[]): ResultRow[] {
  const rates = rounds.map(({ constant }) => ratePerS(constant));
  const units = (of: keyof Round, unit: keyof Round): number[] =>
    rounds.map((round) => Number(round[of]) / Number(round[unit]));
  const row = (name: string, ratios: readonly number[], max: number, unit: keyof Round): ResultRow => ({
    scenario: 'bounds',
    name,
    figure: formatRatio(median(ratios)),
    range: rangeOf(ratios, formatRatio),
    goal: `at most ${formatRatio(max)}; the unit is ${Math.round(median(rounds.map((round) => Number(round[unit]))))} µs`,
    met: median(ratios) <= max,
    ...countAnswers(rounds.map(({ purchases }) => purchases)),
  });
  return [
    {
      scenario: 'bounds',
      name: `a server that answers a constant, ${CONNECTIONS} connections`,
      figure: formatRate(median(rates)),
      range: rangeOf(rates, formatRate),
      goal: '',
      met: undefined,
      ...countAnswers(rounds.map(({ constant }) => constant)),
    },
    row(
      'a purchase: processor time of the gateway, in constant answers',
      units('gatewayUs', 'constantUs'),
      TIMES_CONSTANT,
      'constantUs',
    ),
    row(
      'a purchase: processor time of PostgreSQL, in inserts of its bytes',
      units('databaseUs', 'insertUs'),
      TIMES_INSERT,
      'insertUs',
    ),
  ];
}
